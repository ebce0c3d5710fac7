/**
 * Epoch milliseconds of an RFC 3339 text; what says no offset is UTC, wherever this computer stands. NaN for what is no
 * time.
 */
export const instantOf = (text: string): number => Date.parse(/T[\d:.]+$/i.test(text) ? `${text}Z` : text)
