import { extname, join, normalize, sep } from 'node:path'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
}

/** Content type of a file that the renderer may load. Undefined for all other files. */
export const typeOfFile = (file: string): string | undefined => types[extname(file)]

/** The packaged file for an address. Undefined for any other address. */
export function packagedFile(folder: string, address: string): string | undefined {
  let path: string
  try {
    const url = new URL(address)
    if (url.protocol !== 'app:' || url.host !== 'flightplan') return undefined
    path = decodeURIComponent(url.pathname)
  } catch {
    return undefined
  }
  if (path.includes('\0') || path.includes('\\') || path.split('/').includes('..')) return undefined
  const file = normalize(join(folder, path === '/' ? 'index.html' : path))
  if (!file.startsWith(folder + sep) || typeOfFile(file) === undefined) return undefined
  return file
}
