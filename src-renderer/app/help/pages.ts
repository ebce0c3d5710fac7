/** Pages of the help, in order. Each is a document in `docs/`, and its title is the document’s heading. */
export const helpPages = [
  { id: 'getting-started', title: 'Getting started' },
  { id: 'calendar-and-tasks', title: 'Calendar and tasks' },
  { id: 'reminders', title: 'Reminders and quick add' },
  { id: 'campaigns', title: 'Campaigns' },
  { id: 'reports', title: 'Reports' },
  { id: 'search-ads', title: 'Search ads' },
  { id: 'sync', title: 'Sync and working offline' },
  { id: 'accounts', title: 'Accounts' },
  { id: 'reliability', title: 'Reliability' },
  { id: 'troubleshooting', title: 'Troubleshooting' },
  { id: 'report-command', title: 'The report command' },
  { id: 'glossary', title: 'Glossary' },
] as const

export type HelpPage = (typeof helpPages)[number]['id']
