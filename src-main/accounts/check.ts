import { faultOf } from '#shared/fault'
import type { ServiceCheck } from '#shared/ipc/account-questions'
import { serviceNames, type ServiceName } from '#shared/wire/services'
import type { Client } from '../services/client'

/** The cheapest call of each service that needs the sign-in. */
const probes: Partial<Record<ServiceName, (client: Client) => Promise<unknown>>> = {
  calendar: (client) => client.call('calendar.calendars.get', { calendarId: 'primary' }),
  tasks: (client) => client.call('tasks.tasklists.list', { maxResults: 1 }),
  trafficking: (client) => client.call('trafficking.userProfiles.list', {}),
  // No call works without an ID. A report that doesn't exist is an answer, too.
  search: (client) =>
    client.call('search.reports.get', { reportId: 'connection-test' }).catch((error: unknown) => {
      if (!['notFound', 'invalid'].includes(faultOf(error).code)) throw error
    }),
}

/** Asks every service of an account for something small, and reports which ones answer. */
export function checkServices(client: Client, services: Partial<Record<ServiceName, string>>): Promise<ServiceCheck[]> {
  return Promise.all(
    serviceNames
      .filter((service) => services[service] !== undefined && probes[service])
      .map((service) =>
        probes[service]!(client).then(
          () => ({ service, ok: true, message: '' }),
          (error: unknown) => ({ service, ok: false, message: faultOf(error).message }),
        ),
      ),
  )
}
