import type { ServiceName } from './services'

/** Names of services for users. Others use their own name. */
export const serviceTitles: Readonly<Partial<Record<ServiceName, string>>> = {
  calendar: 'Calendar',
  tasks: 'Tasks',
  trafficking: 'Campaigns',
  search: 'Search ads',
  discovery: 'Service directory',
}

export const serviceTitle = (service: ServiceName): string => serviceTitles[service] ?? service
