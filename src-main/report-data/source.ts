import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { asUtf8 } from './records'
import { refuseAborted } from './steps'
import { isWorkbook } from './workbook'
import { workbookAsCsv } from './workbook-rows'

/** Bytes to read at either end by default. */
export const edge = 256 * 1024

/** Number of bytes of a sheet between two progress reports. */
const stride = 8 * 1024 * 1024

/** The bytes of a file of separated values, readable from the start any number of times. */
export interface Source {
  /** Empty cells at the end of a row may be left out. */
  ragged?: boolean
  size: number
  first: Uint8Array
  last: Uint8Array
  chunks(): AsyncIterable<Uint8Array>
}

export interface SourceOptions {
  signal?: AbortSignal
  /** Called with the number of bytes read so far, and of all. 0 of 0 while a workbook is unpacked to find its size. */
  onprogress?: (done: number, of: number) => void
}

/** A file, or the sheet of a workbook. `reach`: bytes of its beginning. @throws as `open`; FaultError `invalid`, `aborted` */
export async function sourceOf(path: string, reach: number, options: SourceOptions): Promise<Source> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const piece = async (at: number, most = edge): Promise<Buffer> => {
      const bytes = Buffer.alloc(Math.min(most, size - at))
      await file.read(bytes, 0, bytes.length, at)
      return bytes
    }
    const first = await piece(0, reach)
    if (isWorkbook(first)) return await workbookSource(path, reach, options)
    const last = await piece(Math.max(0, size - edge))
    return { size, first, last, chunks: () => asUtf8(createReadStream(path, { highWaterMark: 1 << 20 })) }
  } finally {
    await file.close()
  }
}

/** Unpacks the sheet again for each pass, so that it's never in memory as a whole. */
async function workbookSource(path: string, reach: number, { signal, onprogress }: SourceOptions): Promise<Source> {
  let [size, first, last] = [0, Buffer.alloc(0), Buffer.alloc(0)]
  for await (const chunk of workbookAsCsv(path)) {
    refuseAborted(signal)
    if (size % stride > (size += chunk.length) % stride) onprogress?.(0, 0)
    if (first.length < reach) first = Buffer.concat([first, chunk])
    last = Buffer.concat([last, chunk]).subarray(-edge)
  }
  return { size, first, last, ragged: true, chunks: () => workbookAsCsv(path) }
}
