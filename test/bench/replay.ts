import { Agent, request } from 'node:http'
import { openDevice } from '../helpers/device'
import { startOutsideService } from '../helpers/outside-service'
import { comparison, time, type Bench, type Comparison } from './measure'

const edits = 1_000
const primary = 'alex.morgan@flightplan.example'

/** Sending 1,000 queued edits through the whole engine, compared with 1,000 bare keep-alive calls of the same bodies. */
export async function* replay({ step }: Bench): AsyncGenerator<Comparison, void, void> {
  const service = await startOutsideService({ seed: 'empty' })
  try {
    step('creating 1,000 events')
    const device = await openDevice({ baseUrl: () => service.baseUrl, token: () => service.token })
    await device.settled()
    const value = (n: number): Record<string, unknown> => ({
      summary: `Edit ${n}`,
      start: { dateTime: '2026-05-04T09:00:00+02:00', timeZone: 'Europe/Berlin' },
      end: { dateTime: '2026-05-04T10:00:00+02:00', timeZone: 'Europe/Berlin' },
    })
    const { keys } = await device.replica.edit(
      Array.from({ length: edits }, (_unused, n) => ({
        kind: 'create' as const,
        collection: 'events' as const,
        parent: primary,
        value: value(n) as never,
      })),
      { label: 'Many events' },
    )
    await device.until('the events are there', ({ status }) => status.unsent === 0)
    await device.replica.setOffline(true)
    await device.replica.edit(
      keys.map((key, n) => ({ kind: 'change' as const, key, patch: { location: `Room ${n}` } })),
      { label: 'Many rooms' },
    )
    step('sending 1,000 edits')
    const ours = await time(async () => {
      await device.replica.setOffline(false)
      await device.until('all sent', ({ status }) => status.unsent === 0)
    })
    await device.close()
    step('1,000 bare calls')
    const floor = await time(() =>
      bareCalls(
        service,
        keys.map((key) => key.split('\n')[2]!),
        value,
      ),
    )
    yield comparison(
      'replay of 1,000 queued edits',
      '1,000 bare keep-alive PUT calls one after the other',
      ours,
      floor,
      {
        goal: 1.6,
        detail: { edits },
      },
    )
  } finally {
    await service.stop()
  }
}

async function bareCalls(
  service: { baseUrl: string; token: string },
  ids: string[],
  value: (n: number) => unknown,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (const [n, id] of ids.entries()) {
    await new Promise<void>((resolve, reject) => {
      const call = request(
        `${service.baseUrl}/calendar/v3/calendars/${encodeURIComponent(primary)}/events/${id}`,
        {
          method: 'PUT',
          agent,
          headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
        },
        (response) =>
          response
            .resume()
            .on('end', () =>
              response.statusCode === 200 ? resolve() : reject(new Error(String(response.statusCode))),
            ),
      )
      call.on('error', reject)
      call.end(JSON.stringify({ ...(value(n) as object), location: `Hall ${n}` }))
    })
  }
  agent.destroy()
}
