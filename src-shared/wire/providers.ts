import type { ServiceName } from './services'

/** Public services that an account can be added for without knowing any address. */
export interface Provider {
  title: string
  about: string
  /** Base address of each service, from its public client. */
  services: Partial<Record<ServiceName, string>>
  /** Names of the APIs to turn on in the console, with their IDs there. */
  apis: ReadonlyArray<{ name: string; id: string }>
  /** Permissions of each requested scope, by its name in the tables. */
  permissions: Readonly<Record<string, string>>
}

/** Where all providers sign in, and how their scopes begin. */
export const providerIssuer = 'https://accounts.google.com'
export const providerScopeBase = 'https://www.googleapis.com/auth/'
export const consoleAddress = 'https://console.cloud.google.com'

export const providerIds = ['calendar', 'campaigns', 'search-ads'] as const
export type ProviderId = (typeof providerIds)[number]

export const providers: Readonly<Record<ProviderId, Provider>> = {
  calendar: {
    title: 'Google Calendar and Tasks',
    about: 'Your calendars, events, and tasks.',
    services: { calendar: 'https://www.googleapis.com', tasks: 'https://tasks.googleapis.com' },
    apis: [
      { name: 'Google Calendar API', id: 'calendar-json.googleapis.com' },
      { name: 'Google Tasks API', id: 'tasks.googleapis.com' },
    ],
    permissions: {
      calendar: 'See, edit, share, and delete your calendars and events',
      tasks: 'See, edit, and delete your tasks and task lists',
    },
  },
  campaigns: {
    title: 'Campaign Manager 360',
    about: 'Campaigns, placements, ads, and their reports.',
    services: { trafficking: 'https://dfareporting.googleapis.com' },
    apis: [{ name: 'Campaign Manager 360 API', id: 'dfareporting.googleapis.com' }],
    permissions: {
      dfatrafficking: 'See and edit campaigns, placements, ads, and creatives',
      trafficking: 'Run and download reports',
      ddmconversions: 'Send and correct conversions',
    },
  },
  'search-ads': {
    title: 'Search Ads 360',
    about: 'Conversions and reports for search campaigns.',
    services: { search: 'https://doubleclicksearch.googleapis.com' },
    apis: [{ name: 'Search Ads 360 Reporting API', id: 'doubleclicksearch.googleapis.com' }],
    permissions: { search: 'See and edit conversions, and run reports on search campaigns' },
  },
}
