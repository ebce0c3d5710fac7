/** Start of every address that opens something in Flightplan. */
export const linkPrefix = 'flightplan://'
