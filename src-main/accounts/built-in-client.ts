import { readFile } from 'node:fs/promises'
import { readClientFile, type OAuthClient } from '#shared/ipc/client-file'

/** The client from a file that was added when the app was packaged. Undefined if there is none or it can't be used. */
export async function builtInClient(path: string): Promise<OAuthClient | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  try {
    return readClientFile(text)
  } catch (error) {
    console.error(`Ignored the built-in OAuth client: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}
