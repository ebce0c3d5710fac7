/** So many of the newest full days services still correct. */
export const unsettledDays = 2
