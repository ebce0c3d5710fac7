/** Numbers before the sandbox's messages about campaigns, as the service has them. Which number is which is ours. */
export const refusalNumbers = {
  general: 11001,
  missing: 11004,
  unknown: 11019,
  archived: 11031,
  foreign: 11046,
  fixed: 11052,
  dates: 11064,
  taken: 11073,
  used: 11081,
} as const
