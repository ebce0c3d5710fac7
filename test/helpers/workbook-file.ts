import { constants, deflateRawSync } from 'node:zlib'

/** A file in an archive: its text repeated, and its claimed size. */
export interface Part {
  name: string
  text: string
  times?: number
  after?: string
  says?: number
}

/** Compressed bytes of a repeated text. Compressing once makes gigabytes cheap. */
function packed({ text, times = 1, after = '' }: Part): { bytes: Buffer; size: number } {
  const one = deflateRawSync(text, { finishFlush: constants.Z_FULL_FLUSH })
  const bytes = Buffer.concat([...Array.from({ length: times }, () => one), deflateRawSync(after)])
  return { bytes, size: Buffer.byteLength(text) * times + Buffer.byteLength(after) }
}

/** An archive of these parts, whatever they contain. */
export function archiveOf(parts: readonly Part[]): Buffer {
  const local: Buffer[] = []
  const central: Buffer[] = []
  let at = 0
  for (const part of parts) {
    const { bytes, size } = packed(part)
    const name = Buffer.from(part.name)
    const head = Buffer.alloc(26)
    head.writeUInt16LE(20, 0)
    head.writeUInt16LE(8, 4)
    head.writeUInt32LE(bytes.length, 14)
    head.writeUInt32LE(part.says ?? size, 18)
    head.writeUInt16LE(name.length, 22)
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(at, 10)
    local.push(Buffer.from('PK\x03\x04', 'latin1'), head, name, bytes)
    central.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), head, tail, name)
    at += 30 + name.length + bytes.length
  }
  const end = Buffer.alloc(18)
  end.writeUInt16LE(parts.length, 4)
  end.writeUInt16LE(parts.length, 6)
  end.writeUInt32LE(Buffer.concat(central).length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...local, ...central, Buffer.from('PK\x05\x06', 'latin1'), end])
}

/** A workbook with one sheet of these rows, in XML. */
export const sheetOf = (rows: string): Part => ({
  name: 'xl/worksheets/sheet1.xml',
  text: `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
})
