/**
 * What a spreadsheet may compute: one of `= + - @` (also full-width), a tab or a carriage return, with what it passes over
 * on the way there: white space, quotes, control characters. Apostrophes before it count too, so that taking out one is
 * always right.
 */
const computed = /^'*[\s"\u0000-\u001f\u200b\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20\t\r]/

/** A text as no spreadsheet computes it: an apostrophe in front where it may be a formula. `unguarded` gives it back. */
export const guarded = (text: string): string => (computed.test(text) ? `'${text}` : text)

/** The text that was guarded; one that was not stays as it is. */
export const unguarded = (text: string): string => (text.startsWith("'") && computed.test(text) ? text.slice(1) : text)

/** `-5`, `1210096`, `0.3579%`, `1e21`: nothing that computes. */
const figure = /^[+-]?\d+(?:[.,]\d+)*(?:e[+-]?\d+)?%?$/i
/** What the service writes where a total or a figure is missing. */
const noFigure = '---'

/** The cell of a column of figures: figures as they are, anything else guarded. */
export const guardedFigure = (text: string): string => (figure.test(text) || text === noFigure ? text : guarded(text))
