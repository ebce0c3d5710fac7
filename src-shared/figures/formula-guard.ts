/**
 * Where a cell begins: at its start, and behind each separator. A spreadsheet with other settings than the file's splits it
 * elsewhere, and then takes no notice of quotes.
 */
const start = String.raw`(?<=^|[,;|\t\r\n])`
/**
 * What a spreadsheet computes: one of `= + - @` (also full-width), a tab or a carriage return, after what it skips: white
 * space, quotes, control characters. Apostrophes before it count too, so that removing one is always right. No separator is
 * skipped, as a cell begins behind it: then no text is read twice, and each apostrophe is found again.
 */
const computed = String.raw`(?='*(?:(?![\t\r\n])[\s"\u0000-\u001f\u200b\ufeff])*[=+\-@\uff1d\uff0b\uff0d\uff20\t\r])`
const bare = new RegExp(start + computed, 'g')
const quoted = new RegExp(`${start}'${computed}`, 'g')
/** Without any of these a text is no formula, and has no apostrophe of ours. */
const signs = /[@=+\-\uff1d\uff0b\uff0d\uff20\t\r]/

/**
 * A text that no spreadsheet computes, whichever of `, ; | Tab` it takes for the separator: an apostrophe in front of each
 * place where a formula may begin. `unguarded` gives the text back.
 */
export const guarded = (text: string): string => (signs.test(text) ? text.replace(bare, "'") : text)

/** The text that was guarded. Others lose only an apostrophe in front of what may be a formula. */
export const unguarded = (text: string): string =>
  text.includes("'") && signs.test(text) ? text.replace(quoted, '') : text

/** `-5`, `1210096`, `0.3579%`, `1e21`: nothing that computes. */
const figure = /^[+-]?\d+(?:[.,]\d+)*(?:e[+-]?\d+)?%?$/i
/** What the service writes where a total or a figure is missing. */
const noFigure = '---'

/** The cell of a column of figures: figures as they are, anything else guarded. */
export const guardedFigure = (text: string): string => (figure.test(text) || text === noFigure ? text : guarded(text))
