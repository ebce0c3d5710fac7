/**
 * Start of a cell: the start of the text, or after any separator. A spreadsheet with other settings than the file
 * splits it elsewhere and ignores quotes.
 */
const start = String.raw`(?<=^|[,;|\t\r\n])`
/**
 * Start of a formula: one of `= + - @` (also full-width), a tab, or a carriage return, after skipped characters: white
 * space, quotes, and control characters. Preceding apostrophes match, too, so that removing one is always right.
 * Separators aren't skipped, because a cell starts after them. That way, no text matches twice, and `unguarded` finds
 * each apostrophe.
 */
const computed = String.raw`(?='*(?:(?![\t\r\n])[\s"\u0000-\u001f\u200b\ufeff])*[=+\-@\uff1d\uff0b\uff0d\uff20\t\r])`
const bare = new RegExp(start + computed, 'g')
const quoted = new RegExp(`${start}'${computed}`, 'g')
/** Text without any of these characters is no formula and was never guarded. */
const signs = /[@=+\-\uff1d\uff0b\uff0d\uff20\t\r]/

/**
 * Prevents formula injection for any separator of `, ; | Tab`: adds an apostrophe before each possible start of a
 * formula. `unguarded` restores the text.
 */
export const guarded = (text: string): string => (signs.test(text) ? text.replace(bare, "'") : text)

/** Restores guarded text. Other text only loses an apostrophe before a possible formula. */
export const unguarded = (text: string): string =>
  text.includes("'") && signs.test(text) ? text.replace(quoted, '') : text

/** Plain numbers such as `-5`, `1210096`, `0.3579%`, or `1e21`. */
const number = /^[+-]?\d+(?:[.,]\d+)*(?:e[+-]?\d+)?%?$/i
/** The service's text for a missing total or value. */
const noNumber = '---'

/** Guards the cell of a numeric column, unless it's a number. */
export const guardedNumber = (text: string): string => (number.test(text) || text === noNumber ? text : guarded(text))
