import { fieldName, fieldNameInside } from '#shared/fields/field-name'
import { describe, expect, it } from 'vitest'
import type { Fault } from '#shared/fault'
import type { OutboxEntry } from '#shared/mutation/entry'
import { endedWords, refusalWords } from '../../../../src-renderer/context/entry-words'
import { entryLines, titleOfEntry, titleOfRecord } from '../../../../src-renderer/views/sync/entry-labels'
import { someEntry } from '../../../helpers/some-entry'

const entry = (more: Partial<OutboxEntry> = {}): OutboxEntry =>
  someEntry({
    id: 'a',
    accountId: 'one',
    patch: { summary: 'Mine' },
    base: { summary: 'Before' },
    group: '',
    label: 'Change it',
    ...more,
  })
const conflict = (remote: { summary: string } | null) => ({ remote, fields: ['summary'], merged: {} })

describe('a finished entry', () => {
  it('counts as merged only without a decision', () => {
    expect(endedWords({ how: 'merged', entry: entry() })).toBe('Merged')
    expect(endedWords({ how: 'confirmed', entry: entry() })).toBe('Sent')
    expect(endedWords({ how: 'withdrawn', entry: entry() })).toBe('Discarded')
  })
  it('says what was decided', () => {
    const theirs = { summary: 'Theirs' }
    expect(endedWords({ how: 'merged', entry: entry({ conflict: conflict(theirs) }) })).toBe('Kept theirs')
    expect(endedWords({ how: 'merged', entry: entry({ kind: 'delete', conflict: conflict(theirs) }) })).toBe(
      'Not deleted',
    )
    expect(endedWords({ how: 'merged', entry: entry({ conflict: conflict(null) }) })).toBe('Deleted')
  })
})

it('names an occurrence of a series with its day, which the others have, too', () => {
  const context = { zone: 'Europe/Berlin', hour12: false, today: Date.UTC(2027, 2, 26) }
  expect(titleOfRecord('events', 'yoga_20270327T070000Z', 'Yoga', context)).toBe('Yoga, Sat 27 Mar 08:00')
  expect(titleOfRecord('events', 'trip_20270327', 'Trip', context)).toBe('Trip, Sat 27 Mar')
  expect(titleOfRecord('events', 'yoga', 'Yoga', context)).toBe('Yoga')
  expect(titleOfRecord('tasks', 'yoga_20270327', 'Yoga', context)).toBe('Yoga')
})

describe('the reason an entry needs attention', () => {
  it('names the service only if it rejected the entry', () => {
    const words = (code: Fault['code']): string => refusalWords({ code, message: '' })
    expect(words('invalid')).toBe('The server rejected this change')
    expect(words('forbidden')).toBe('You don’t have permission to make this change')
    expect(refusalWords({ code: 'invalid', message: '' }, true)).toBe('The server rejected these changes')
    expect(words('mistake')).toBe('Something went wrong in Flightplan')
    expect(words('badAnswer')).toBe('The service returned an invalid response')
    expect(words('preconditionFailed')).toBe('This record keeps changing on the server')
    expect(refusalWords(undefined)).toBe('This change needs attention')
  })
})

it('an entry about sharing names whom the calendar is shared with', () => {
  const base = { scope: { type: 'user', value: 'jo@flightplan.example' }, role: 'reader' }
  const sharing = entry({ collection: 'acl', kind: 'delete', patch: {}, base })
  expect(titleOfEntry(sharing)).toBe('jo@flightplan.example')
  const everyone = entry({
    collection: 'acl',
    kind: 'create',
    patch: { ...base, scope: { type: 'default' } },
    base: null,
  })
  expect(titleOfEntry(everyone)).toBe('Everyone')
})

describe('a campaign entry', () => {
  const placement = entry({
    collection: 'placements',
    parent: '7',
    base: { name: 'Skyscraper' },
    patch: { siteId: '4' },
  })
  const context = { zone: 'UTC', hour12: false, today: 0, nameOf: () => 'Herald' }
  it('shows its name, field labels, and readable values', () => {
    expect(titleOfEntry(placement)).toBe('Skyscraper')
    // Calendars and lists have names, as in their dialogs. Events and tasks have titles.
    expect([fieldName('summary', 'calendars'), fieldName('title', 'tasklists')]).toEqual(['Name', 'Name'])
    expect([fieldName('summary', 'events'), fieldName('title', 'tasks')]).toEqual(['Title', 'Title'])
    expect([fieldName('siteId'), fieldNameInside('siteId'), fieldNameInside('sslRequired')]).toEqual([
      'Site',
      'site',
      'SSL required',
    ])
    expect(entryLines(placement, 'siteId', '4', context)).toEqual(['Herald'])
    expect(entryLines(placement, 'size', { id: '1', width: 300, height: 250 }, context)).toEqual(['300 × 250'])
  })
  it("uses its own table's labels, not an event's", () => {
    expect(entryLines(placement, 'status', 'PENDING_REVIEW', context)).toEqual(['Pending review'])
    expect(entryLines(entry({ collection: 'tasks' }), 'status', 'completed', context)).toEqual(['Completed'])
  })
})
