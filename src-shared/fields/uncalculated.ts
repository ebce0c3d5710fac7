/** The text of a spreadsheet's cell whose formula has no current result. */
export const notCalculated = '#NOT CALCULATED!'

/** What a spreadsheet writes instead of a result. */
const formulaError = /^\s*#(?:N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!)\s*$/

/** Why a cell of a spreadsheet has no value. Undefined if it has one. */
export function whyUncalculated(text: string): string | undefined {
  if (text === notCalculated) return 'The file has no current result of this formula. Save it in a spreadsheet program'
  return formulaError.test(text) ? 'The spreadsheet couldn’t calculate this cell' : undefined
}
