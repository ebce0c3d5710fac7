/** A workbook begins as every archive does. */
export const isWorkbook = (first: Uint8Array): boolean =>
  first[0] === 0x50 && first[1] === 0x4b && first[2] === 0x03 && first[3] === 0x04
