import { expect, it } from 'vitest'
import { readFeedAddress } from '#shared/links/feed-address'

it.each([
  ['example.org/a.ics#x', 'https://example.org/a.ics'],
  ['webcal://example.org/a.ics', 'https://example.org/a.ics'],
  ['http://example.org/a.ics', 'http://example.org/a.ics'],
  ['webcal://localhost:8080/a.ics', 'http://localhost:8080/a.ics'],
])('reads %s', (text, url) => expect(readFeedAddress(text)).toMatchObject({ url }))

const example = 'Enter an address such as https://example.org/calendar.ics'
it.each([
  ['mina@example.org', 'Enter the address of a calendar. This is an email address'],
  ['/home/mina/a.ics', example],
  ['~/a.ics', example],
  ['webcal://', example],
  ['file:///home/mina/a.ics', 'Enter an address that starts with https, http, or webcal'],
  ['https://mina:secret@example.org/a.ics', 'Remove the user name and password'],
])('says what’s wrong with %s', (text, problem) => expect(readFeedAddress(text)).toEqual({ problem }))
