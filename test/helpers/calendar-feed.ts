import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A web server with one calendar. */
export interface CalendarFeed {
  /** Its address on this computer. */
  readonly address: string
  readonly host: string
  /** Requests so far. */
  readonly requests: IncomingMessage[]
  /** How it answers. */
  answer: (request: IncomingMessage, response: ServerResponse) => void
  stop(): Promise<void>
}

export async function startCalendarFeed(text: string, etag = '"1"'): Promise<CalendarFeed> {
  const requests: IncomingMessage[] = []
  const feed = { requests, answer: serving(text, etag) }
  const server = createServer((request, response) => {
    requests.push(request)
    feed.answer(request, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(feed, {
    host,
    address: `http://${host}/secret-path/team.ics`,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  })
}

/** Returns a calendar, or that it’s unchanged. */
export const serving =
  (text: string, etag: string) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    if (request.headers['if-none-match'] === etag) response.writeHead(304).end()
    else response.writeHead(200, { 'content-type': 'text/calendar', etag }).end(text)
  }

/** A calendar file with these events, each given by its lines. */
export const calendarText = (name: string, events: readonly (readonly string[])[]): string =>
  [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Test//EN', `X-WR-CALNAME:${name}`],
    ...events.flatMap((lines) => ['BEGIN:VEVENT', 'DTSTAMP:20260101T000000Z', ...lines, 'END:VEVENT']),
    'END:VCALENDAR',
    '',
  ].join('\r\n')

/** A calendar file with one event. */
export const tripFile = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//test//EN',
  'BEGIN:VEVENT',
  'UID:trip-1',
  'DTSTAMP:20260601T080000Z',
  'DTSTART:20260612T080000Z',
  'DTEND:20260612T090000Z',
  'SUMMARY:Train to Hamburg',
  'END:VEVENT',
  'END:VCALENDAR',
  '',
].join('\r\n')
