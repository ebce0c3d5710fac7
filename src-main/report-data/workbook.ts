import { open } from 'node:fs/promises'

/** True if bytes begin like a workbook, which is an archive. */
export const isWorkbook = (first: Uint8Array): boolean =>
  first[0] === 0x50 && first[1] === 0x4b && first[2] === 0x03 && first[3] === 0x04

/** True if a file begins like a workbook. @throws errors of the disk */
export async function isWorkbookFile(path: string): Promise<boolean> {
  const file = await open(path, 'r')
  const start = Buffer.alloc(4)
  try {
    await file.read(start, 0, start.length, 0)
  } finally {
    await file.close()
  }
  return isWorkbook(start)
}
