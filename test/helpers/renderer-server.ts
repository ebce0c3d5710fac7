import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { appOrigin, rendererFile } from '../../src-main/app/renderer-files'

const folder = resolve(import.meta.dirname, '../../out/renderer')

let origin: Promise<string> | undefined

/** Serves the built renderer locally with the app's headers. @returns its origin */
export const rendererOrigin = (): Promise<string> =>
  (origin ??= new Promise((listening) => {
    const server = createServer((request, response) => {
      void rendererFile(folder, `${appOrigin}${request.url ?? '/'}`).then((file) => {
        // Chromium asks for an icon, which windows of the app get from main.
        response.writeHead(file ? 200 : request.url === '/favicon.ico' ? 204 : 404, file?.headers)
        response.end(file?.body)
      })
    })
    server.listen(0, '127.0.0.1', () => listening(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
    server.unref()
  }))
