import { FaultError } from '#shared/fault'

export const maxPng = 60_000_000

/** The fault of a chart that can't be saved. */
export const refused = (why: string): FaultError =>
  new FaultError({ code: 'invalid', message: `Can’t save this chart: ${why}. No file was written.` })

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const ending = [0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82]

/** Checks the bytes of a PNG. @throws FaultError `invalid` */
export function checkedPng(bytes: Uint8Array): Uint8Array {
  if (bytes.length > maxPng) throw refused('it’s too large')
  const begins = signature.every((byte, at) => bytes[at] === byte)
  const ends = ending.every((byte, at) => bytes[bytes.length - ending.length + at] === byte)
  if (!begins || !ends) throw refused('it isn’t a complete PNG image')
  return bytes
}
