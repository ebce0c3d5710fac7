import type { Versions } from '#shared/wire/services'
import type { Client } from '../../src-main/services/client'
import type { Caller } from './world'

/** The app's own client. */
export function ourClient(client: Client, versions: Versions): Caller {
  return {
    versions,
    call: (id, params, extra) => client.call(id, params, extra),
    download: (id, params) =>
      client.download(id, params, async ({ contentType }, chunks) => {
        const pieces: Uint8Array[] = []
        for await (const chunk of chunks) pieces.push(chunk)
        return { contentType, bytes: Buffer.concat(pieces) }
      }),
  }
}
