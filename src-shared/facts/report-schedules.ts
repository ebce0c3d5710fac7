/** Frequencies of scheduled reports, with the fields each requires in addition to its first and last day. */
export const scheduleRepeats = {
  DAILY: { words: 'Every day', each: 'days', needs: ['every'] },
  WEEKLY: { words: 'Every week', each: 'weeks', needs: ['every', 'repeatsOnWeekDays'] },
  TWICE_A_MONTH: { words: 'Twice a month', each: 'half months', needs: [] },
  MONTHLY: { words: 'Every month', each: 'months', needs: ['every', 'runsOnDayOfMonth'] },
  QUARTERLY: { words: 'Every quarter', each: 'quarters', needs: ['every', 'runsOnDayOfMonth'] },
  YEARLY: { words: 'Every year', each: 'years', needs: ['every', 'runsOnDayOfMonth'] },
} as const
export type Repeats = keyof typeof scheduleRepeats

/** Fields that only some frequencies have. */
export type ScheduleField = 'every' | 'repeatsOnWeekDays' | 'runsOnDayOfMonth'

export const isRepeats = (text: unknown): text is Repeats =>
  typeof text === 'string' && Object.hasOwn(scheduleRepeats, text)

export const scheduleNeeds = (repeats: Repeats): readonly ScheduleField[] => scheduleRepeats[repeats].needs

/** Starting with Monday. */
export const weekDays = {
  MONDAY: 'Monday',
  TUESDAY: 'Tuesday',
  WEDNESDAY: 'Wednesday',
  THURSDAY: 'Thursday',
  FRIDAY: 'Friday',
  SATURDAY: 'Saturday',
  SUNDAY: 'Sunday',
} as const
export type WeekDay = keyof typeof weekDays
