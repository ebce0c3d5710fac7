/** Reminders of all events of a calendar, as they’re offered: minutes before the start. */
export const reminderChoices = [
  { value: '', label: 'No reminder' },
  { value: '0', label: 'At the start' },
  { value: '5', label: '5 minutes before' },
  { value: '10', label: '10 minutes before' },
  { value: '30', label: '30 minutes before' },
  { value: '60', label: '1 hour before' },
  { value: '1440', label: '1 day before' },
] as const
export type ReminderChoice = (typeof reminderChoices)[number]['value']

export const minutesOf = (choice: ReminderChoice): number[] => (choice === '' ? [] : [Number(choice)])
