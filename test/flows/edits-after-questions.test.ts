import { expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import { systemClock } from '#shared/time/clock'
import { wallOfInstant } from '#shared/time/zones'
import type { JsonObject } from '#shared/json'
import type { Change } from '../../src-renderer/replica/api'
import { CalendarActions } from '../../src-renderer/views/calendar/actions.svelte'
import type { Entry } from '../../src-renderer/views/calendar/layout/entry'
import type { CalendarModel } from '../../src-renderer/views/calendar/model.svelte'
import { shortDate } from '../../src-renderer/ui/dates'
import { timesOfSpan } from '../../src-renderer/views/calendar/times'
import { devicesForEach } from '../helpers/for-file'

const primary = 'alex.morgan@flightplan.example'
const zone = 'Europe/Berlin'
const [hourMs, dayMs] = [3_600_000, 86_400_000]
const now = systemClock.now()
const today = Math.floor(wallOfInstant(now, zone) / dayMs) * dayMs
const spanAt = (hour: number) => ({ start: today + hour * hourMs, end: today + (hour + 1) * hourMs, allDay: false })

const { here, there } = devicesForEach()

/** Creates a series at 9:00, and starts an action on its first occurrence here. Returns the key of the series. */
async function ask(act: (actions: CalendarActions, entry: Entry) => Promise<boolean>) {
  const { replica } = here
  const value = {
    ...{ summary: 'Stand-up', status: 'confirmed', eventType: 'default', recurrence: ['RRULE:FREQ=DAILY;COUNT=5'] },
    ...timesOfSpan(spanAt(9), zone),
  }
  await replica.edit([{ kind: 'create', collection: 'events', parent: primary, value }], { label: 'Add' })
  await here.settled()
  await there.settled()
  const event = replica.items(now - dayMs, now + 2 * dayMs).find((item) => item.title === 'Stand-up')!
  const edit = (changes: readonly Change[]) => replica.edit(changes, { label: 'Edit' })
  const app = { replica, clock: { now }, toasts: { show: () => undefined }, edit }
  const words = { thisYear: 2026, hour12: false, zone }
  const model = { app, zone, today, words, stretch: { first: today, last: today }, canEdit: () => true }
  const actions = new CalendarActions(model as unknown as CalendarModel)
  const done = act(actions, { key: event.itemKey, title: 'Stand-up', event, ...spanAt(9) } as unknown as Entry)
  await expect.poll(() => actions.question).not.toBeNull()
  return { actions, done, key: event.rowKey }
}
async function elsewhere(key: string, patch: JsonObject): Promise<void> {
  await there.replica.edit([{ kind: 'change', key, patch }], { label: 'Edit' })
  await there.settled()
  await here.settled()
}

it('asks about a series that was moved elsewhere while the question about a move was open', async () => {
  const { actions, done, key } = await ask((calendar, entry) => calendar.reschedule(entry, spanAt(11)))
  const theirs = timesOfSpan(spanAt(15), zone)
  await elsewhere(key, theirs)
  actions.question!.answer({ scope: 'all', sendUpdates: 'none' })
  expect(await done).toBe(true)
  await here.settled()
  expect(here.replica.peek(key)?.mark).toBe('needsYou')
  await there.settled()
  expect(there.replica.peek(key)?.value).toMatchObject(theirs)
})

it('asks about a series that was changed elsewhere while the question about a deletion was open', async () => {
  const { actions, done, key } = await ask((calendar, entry) => calendar.remove(entry))
  await elsewhere(key, { summary: 'Stand-up with notes' })
  actions.question!.answer({ scope: 'all', sendUpdates: 'none' })
  expect(await done).toBe(true)
  await here.settled()
  expect(here.replica.outbox().map(({ kind, state }) => `${kind} ${state}`)).toEqual(['delete needsYou'])
  await there.settled()
  expect(there.replica.peek(key)?.value?.['summary']).toBe('Stand-up with notes')
})

it('asks even if the scope is known, and names the edited occurrences that would be deleted', async () => {
  let renamed = ''
  const { actions, done } = await ask(async (calendar, entry) => {
    const { replica } = here
    const [second] = replica
      .items(now, now + 2 * dayMs)
      .filter((item) => wallOfInstant(item.start, zone) > today + dayMs)
    renamed = recordKey('events', primary, second!.eventId)
    await replica.edit([{ kind: 'change', key: renamed, patch: { summary: 'Retro' } }], { label: 'Edit' })
    const loaded = await calendar.load(entry)
    const options = { label: 'Change', receipt: 'Changed', verb: 'Change', scope: 'all' as const }
    return calendar.change(entry, loaded!, { recurrence: ['RRULE:FREQ=WEEKLY'] }, options)
  })
  const losses = { all: `Deletes 1 edited occurrence: ${shortDate(today + dayMs, 2026)}` }
  expect(actions.question).toMatchObject({ scopes: ['all'], losses })
  actions.question!.answer({ scope: 'all', sendUpdates: 'none' })
  expect(await done).toBe(true)
  expect(here.replica.peek(renamed)?.value).toBeNull()
})

it('changes a series that no one else changed', async () => {
  const { actions, done, key } = await ask((calendar, entry) => calendar.reschedule(entry, spanAt(11)))
  actions.question!.answer({ scope: 'all', sendUpdates: 'none' })
  expect(await done).toBe(true)
  await here.settled()
  await there.settled()
  expect(there.replica.peek(key)?.value).toMatchObject(timesOfSpan(spanAt(11), zone))
})
