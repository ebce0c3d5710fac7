const group = /['’_\s]/g
/** Thousands never begin with a zero: “0,085” has a decimal comma. */
const commaThousands = /^-?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/
/** Points before a comma, or more than one, separate thousands. */
const pointThousands = /^-?[1-9]\d{0,2}(?:(?:\.\d{3})+,\d+|(?:\.\d{3}){2,})$/

/**
 * Reads a number that people type or paste, as digits with a point. Spaces, commas, or points separate thousands, a comma or point
 * decimals. Where both are possible, as in “1,250” and “1.250”, commas separate thousands, and points decimals.
 * @returns undefined for anything else
 */
export function numberText(typed: string): string | undefined {
  const bare = typed.replace(group, '')
  const plain = commaThousands.test(bare)
    ? bare.replaceAll(',', '')
    : (pointThousands.test(bare) ? bare.replaceAll('.', '') : bare).replace(/,(?=\d+$)/, '.')
  return /^-?\d+(\.\d+)?$/.test(plain) ? plain : undefined
}

/** Rewrites a number of a file whose commas are decimal, with a currency or without. Other texts stay unchanged. */
export const withDecimalPoint = (text: string): string =>
  /^\s*(?:[€$£]|[a-z]{3})?\s*-?(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d+)?\s*(?:[€$£]|[a-z]{3})?\s*$/i.test(text)
    ? text.replaceAll('.', '').replace(',', '.')
    : text
