/**
 * Epoch milliseconds of an RFC 3339 text. Texts without an offset are UTC, in any zone of this computer. NaN if it isn't
 * a time.
 */
export const instantOf = (text: string): number => Date.parse(/T[\d:.]+$/i.test(text) ? `${text}Z` : text)
