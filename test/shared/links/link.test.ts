import { expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import { linkedViews, linkText, readLink, type Link } from '#shared/links/link'
import { wallOfText } from '#shared/time/zones'

const day = wallOfText('2026-06-10')

it('links to records, views, and dates are read as they were written', () => {
  const links: Link[] = [
    { to: 'record', key: recordKey('events', 'team/ä?#@example.com', 'abc_20260610T070000Z') },
    { to: 'record', key: recordKey('events', 'team@example.com', 'abc'), day },
    { to: 'record', key: recordKey('calendarList', null, '100% mine') },
    { to: 'record', key: recordKey('tasks', 'list', 'id') },
    { to: 'date', day },
    ...linkedViews.map((view) => ({ to: 'view', view }) as const),
  ]
  for (const link of links) {
    const text = linkText(link)!
    expect(text).toMatch(/^flightplan:\/\/[\w%./?=@-]+$/)
    expect(readLink(text)).toEqual(link)
  }
})

it('a record that only this computer knows has no link', () => {
  expect(linkText({ to: 'record', key: recordKey('tasks', 'list', 'local:1') })).toBeUndefined()
  expect(linkText({ to: 'record', key: recordKey('tasks', 'local:2', 'id') })).toBeUndefined()
})

it.each([
  '',
  'https://example.com/',
  'flightplan:view/calendar',
  'flightplan://',
  'flightplan://view',
  'flightplan://view/..',
  'flightplan://view/calendar/more',
  'flightplan://view/__proto__',
  'flightplan://view/calendar?day=2026-06-10',
  'flightplan://date/2026-02-30',
  'flightplan://date/2026-6-1',
  'flightplan://date/../../etc/passwd',
  'flightplan://record/events/team',
  'flightplan://record/nothing/team/id',
  'flightplan://record/constructor/team/id',
  'flightplan://record/events/team/id/more',
  'flightplan://record/events//id',
  'flightplan://record/events/-/id',
  'flightplan://record/calendarList/team/id',
  'flightplan://record/events/team/a%0Aevents',
  'flightplan://record/events/team/%E0%A4%A',
  'flightplan://record/events/team/local:1',
  'flightplan://record/events/team/id?day=soon',
  'flightplan://record/events/team/id?day=2026-06-10?x',
  'flightplan://record/events/team/id#<script>',
  `flightplan://record/events/team/${'a'.repeat(501)}`,
  `flightplan://date/2026-06-10?${'a'.repeat(3000)}`,
])('%s isn’t a link', (text) => {
  expect(readLink(text)).toBeNull()
})
