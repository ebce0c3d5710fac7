import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'

/** Text of the only file with this extension, once it's complete. A file that's being written has another extension. */
export async function savedText(folder: string, extension: string): Promise<string> {
  const found = async (): Promise<string[]> => (await readdir(folder)).filter((name) => name.endsWith(extension))
  await expect.poll(found).toHaveLength(1)
  return readFile(join(folder, (await found())[0]!), 'utf8')
}
