/** Sections of the settings, in order, and other words by which people look for what they contain. */
export const settingsSections = [
  {
    id: 'appearance',
    title: 'Appearance and time',
    about: 'Choose how Flightplan looks and how it shows dates and times.',
    words: 'theme dark light mode density time zone clock week starts working hours language shortcuts',
  },
  {
    id: 'calendars',
    title: 'Calendars and sharing',
    about: 'Rename, color, share, and delete the calendars of this account.',
    words: 'calendar permissions access unsubscribe',
  },
  {
    id: 'campaigns',
    title: 'Campaigns',
    about: 'Choose what Flightplan asks about before it posts or resolves changes.',
    words: 'large changes limits conflict rules',
  },
  {
    id: 'notifications',
    title: 'Notifications',
    about: 'Choose what Flightplan reminds you of, and when.',
    words: 'reminders alerts sound quiet hours do not disturb snooze',
  },
  {
    id: 'account',
    title: 'Accounts',
    about: 'Add accounts, sign in or out, and remove accounts from this computer.',
    words: 'manage sign log in out logout switch sample data',
  },
  {
    id: 'storage',
    title: 'This computer',
    about: 'See where your data is saved, and export or import it.',
    words:
      'report file folder disk space backup export import start at login tray quick add from any app pending changes',
  },
  {
    id: 'about',
    title: 'About and updates',
    about: 'See your version and check for updates.',
    words: 'version check for update release license diagnostics',
  },
  {
    id: 'developer',
    title: 'Developer',
    about: 'Practice with errors and conflicts in the sandbox.',
    words: 'simulate problems tools debug',
  },
] as const

export type SettingsSection = (typeof settingsSections)[number]['id']
