import { describe, expect, it } from 'vitest'
import { writeWhole } from '../../../src-main/disk/write-whole'

/** A file that accepts a few bytes at a time, like an almost full disk. */
function slowFile(atOnce: number) {
  const bytes: number[] = []
  const write = (from: Uint8Array, offset: number, length: number, position: number) => {
    const part = from.subarray(offset, offset + Math.min(length, atOnce))
    part.forEach((byte, at) => (bytes[position + at] = byte))
    return Promise.resolve({ bytesWritten: part.length, buffer: from })
  }
  return { bytes, file: { write } as unknown as Parameters<typeof writeWhole>[0] }
}

describe('a partial disk write', () => {
  it.each([1, 3, 100])('continues after the last byte, %i bytes at a time', async (atOnce) => {
    const { bytes, file } = slowFile(atOnce)
    await writeWhole(file, Uint8Array.from([1, 2, 3, 4, 5, 6, 7]), 2)
    expect(bytes.slice(2)).toEqual([1, 2, 3, 4, 5, 6, 7])
  })

  it('fails when the disk takes nothing more', async () => {
    await expect(writeWhole(slowFile(0).file, Uint8Array.of(1), 0)).rejects.toMatchObject({ code: 'ENOSPC' })
  })
})
