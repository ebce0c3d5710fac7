import { beforeEach, describe, expect, it } from 'vitest'
import { parseRecordKey, recordKey } from '#shared/domain/collections'
import { deleteSeries, editSeries, type SeriesChange, type SeriesContext } from '#shared/domain/series-edit'
import type { Change } from '../../src-renderer/replica/api'
import { devicesForEach } from '../helpers/for-file'
import { primary, times } from '../helpers/some-event'

const { service, here } = devicesForEach()
let master: string

/** Offline, a daily series from 4 to 8 May whose occurrence on 7 May is renamed. */
beforeEach(async () => {
  await here.replica.setOffline(true)
  const value = { summary: 'Standup', ...times, recurrence: ['RRULE:FREQ=DAILY;COUNT=5'] }
  master = await edit([{ kind: 'create', collection: 'events', parent: primary, value }])
  await edit([{ kind: 'change', key: occurrence(7), patch: { summary: 'Retro' } }])
})

const edit = async (changes: readonly (Change | SeriesChange)[]): Promise<string> =>
  (await here.replica.edit(changes as Change[], { label: 'Edit' })).keys[0]!
const occurrence = (day: number): string =>
  recordKey('events', primary, `${parseRecordKey(master).id}_2026050${day}T070000Z`)
function seriesAt(day: number): SeriesContext {
  const { replica } = here
  const { id, value } = replica.peek(master)!
  return {
    calendarId: primary,
    masterId: id,
    master: { ...value!, id },
    exceptions: replica.exceptions(master).map((row) => ({ id: row.id, value: row.value })),
    eventId: parseRecordKey(occurrence(day)).id,
    newId: () => replica.newEventId(),
  }
}
/** Goes online. @returns the occurrences on the service */
async function sent(): Promise<string[]> {
  await here.replica.setOffline(false)
  await here.settled()
  expect(here.replica.outbox()).toEqual([])
  const { body } = await service.client.call('calendar.events.list', { calendarId: primary, singleEvents: true })
  return (body.items ?? [])
    .map(({ summary, location, start }) => [start!.dateTime!.slice(8, 13), summary, location].filter(Boolean).join(' '))
    .sort()
}

describe('a series that was never sent, with an edited occurrence', () => {
  it('is cut before that, and asks nothing', async () => {
    await edit(deleteSeries(seriesAt(6), 'following'))
    expect(await sent()).toEqual(['04T09 Standup', '05T09 Standup'])
  })

  it('is split before that, which goes on in the second half', async () => {
    await edit(editSeries(seriesAt(6), { location: 'Room 2' }, 'following'))
    expect(await sent()).toEqual([
      '04T09 Standup',
      '05T09 Standup',
      '06T09 Standup Room 2',
      '07T09 Retro Room 2',
      '08T09 Standup Room 2',
    ])
  })

  it('is moved with that', async () => {
    const at = (hour: string) => ({ dateTime: `2026-05-06T${hour}:00:00+02:00`, timeZone: 'Europe/Berlin' })
    await edit(editSeries(seriesAt(6), { start: at('11'), end: at('12') }, 'all'))
    expect(await sent()).toEqual(['04T11 Standup', '05T11 Standup', '06T11 Standup', '07T11 Retro', '08T11 Standup'])
  })

  it('loses that if a new rule has no place for it', async () => {
    const tuesdays = ['RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=2']
    await edit(editSeries(seriesAt(5), { recurrence: tuesdays }, 'all'))
    expect(here.replica.peek(occurrence(7))?.value).toBeNull()
    expect(await sent()).toEqual(['05T09 Standup', '12T09 Standup'])
  })

  it('loses that if it continues by another rule, and has it again after that is undone', async () => {
    const at = (hour: string) => ({ dateTime: `2026-05-06T${hour}:00:00+02:00`, timeZone: 'Europe/Berlin' })
    const other = { recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=WE;COUNT=2'], start: at('11'), end: at('12') }
    await edit(editSeries(seriesAt(6), other, 'following'))
    await here.replica.undo()
    expect(here.replica.peek(occurrence(7))?.value).toMatchObject({ summary: 'Retro' })
    await edit(editSeries(seriesAt(6), other, 'following'))
    expect(await sent()).toEqual(['04T09 Standup', '05T09 Standup', '06T11 Standup', '13T11 Standup'])
  })

  it('is whole again after a split that was sent is undone', async () => {
    const whole = ['04T09 Standup', '05T09 Standup', '06T09 Standup', '07T09 Retro', '08T09 Standup']
    await edit(editSeries(seriesAt(6), { location: 'Room 2' }, 'following'))
    await sent()
    await here.replica.undo()
    expect(await sent()).toEqual(whole)
  })

  it.each(['synced', 'new'])(
    'asks before undoing a split deletes what someone else changed in it (%s)',
    async (state) => {
      await edit(editSeries(seriesAt(6), { location: 'Room 2' }, 'following'))
      await sent()
      const { body } = await service.client.call('calendar.events.list', { calendarId: primary, singleEvents: true })
      const { id: eventId } = body.items!.find(({ summary }) => summary === 'Retro')!
      const theirs = { description: 'Bring numbers' }
      await service.client.call('calendar.events.patch', { calendarId: primary, eventId: eventId! }, { body: theirs })
      if (state === 'synced') await here.settled()
      await here.replica.undo()
      await here.until('asked', ({ status }) => status.needsYou === 1, 5_000)
    },
  )

  it('keeps that in the second half, which stays as someone changed it before the split was undone', async () => {
    await edit(editSeries(seriesAt(6), { location: 'Room 2' }, 'following'))
    await sent()
    await here.replica.setOffline(true)
    await here.replica.undo()
    const { body } = await service.client.call('calendar.events.list', { calendarId: primary, singleEvents: true })
    const { recurringEventId: eventId } = body.items!.find(({ summary }) => summary === 'Retro')!
    const theirs = { description: 'Bring numbers' }
    await service.client.call('calendar.events.patch', { calendarId: primary, eventId: eventId! }, { body: theirs })
    await here.replica.setOffline(false)
    await here.asks()
    const asked = here.replica.outbox().find(({ conflict }) => conflict)!
    await here.replica.resolve(asked.id, { keep: 'theirs' }, { label: 'Resolve' })
    const secondHalf = ['06T09 Standup Room 2', '07T09 Retro Room 2', '08T09 Standup Room 2']
    expect(await sent()).toEqual(['04T09 Standup', '05T09 Standup', ...secondHalf])
  })

  it.each(['unsent', 'sent'])('keeps that with its occurrence if it moves by a day (%s)', async (state) => {
    if (state === 'sent') await sent()
    const at = (hour: string) => ({ dateTime: `2026-05-07T${hour}:00:00+02:00`, timeZone: 'Europe/Berlin' })
    await edit(editSeries(seriesAt(6), { start: at('09'), end: at('10') }, 'all'))
    const moved = ['05T09 Standup', '06T09 Standup', '07T09 Standup', '08T09 Retro', '09T09 Standup']
    const shown = here.replica.items(Date.UTC(2026, 4, 4), Date.UTC(2026, 4, 11))
    expect(shown.map(({ title, start }) => `${new Date(start).toISOString().slice(8, 10)}T09 ${title}`)).toEqual(moved)
    expect(await sent()).toEqual(moved)
    await here.replica.undo()
    expect(await sent()).toEqual(['04T09 Standup', '05T09 Standup', '06T09 Standup', '07T09 Retro', '08T09 Standup'])
  })

  describe.each(['new', 'unsent', 'sent', 'sent once'])('is undone and redone while %s', (state) => {
    const at = (hour: string) => ({ dateTime: `2026-05-06T${hour}:00:00+02:00`, timeZone: 'Europe/Berlin' })
    const whole = ['04T09 Standup', '06T09 Standup', '07T09 Retro', '08T09 Standup']
    const steps: [string, () => SeriesChange[], string[]][] = [
      ['made single', () => editSeries(seriesAt(6), { recurrence: null }, 'all'), ['04T09 Standup']],
      [
        'moved',
        () => editSeries(seriesAt(6), { start: at('11'), end: at('12') }, 'all'),
        ['04T11 Standup', '06T11 Standup', '07T11 Retro', '08T11 Standup'],
      ],
      [
        'split',
        () => editSeries(seriesAt(6), { location: 'Room 2' }, 'following'),
        ['04T09 Standup', '06T09 Standup Room 2', '07T09 Retro Room 2', '08T09 Standup Room 2'],
      ],
      [
        'split at another time',
        () => editSeries(seriesAt(6), { start: at('11'), end: at('12') }, 'following'),
        ['04T09 Standup', '06T11 Standup', '07T11 Retro', '08T11 Standup'],
      ],
      ['cut', () => deleteSeries(seriesAt(6), 'following'), ['04T09 Standup']],
    ]
    const shown = (): string[] =>
      here.replica
        .items(Date.UTC(2026, 4, 4), Date.UTC(2026, 4, 11))
        .map(({ title, start, rowKey }) =>
          [
            `${new Date(start + 7_200_000).toISOString().slice(8, 13)} ${title}`,
            here.replica.peek(rowKey)?.value?.['location'],
          ]
            .filter(Boolean)
            .join(' '),
        )
        .sort()

    it.each(steps)('if it was %s', async (_, changes, after) => {
      await edit([{ kind: 'delete', key: occurrence(5) }])
      if (state !== 'new') expect(await sent()).toEqual(whole)
      const settled = async (at: number): Promise<string[]> => {
        if (state === 'sent once' ? at !== 2 : state !== 'sent') return shown()
        const [before, now] = [shown(), await sent()]
        expect([before, shown()]).toEqual([now, now])
        return now
      }
      const { replica } = here
      await replica.setOffline(true)
      await edit(changes())
      const turns = [
        [undefined, after],
        ['undo', whole],
        ['redo', after],
        ['undo', whole],
        ['redo', after],
        ['undo', whole],
      ] as const
      for (const [at, [work, result]] of turns.entries()) {
        await replica.setOffline(true)
        if (work) await replica[work]()
        expect([at, await settled(at)]).toEqual([at, result])
      }
      expect(await sent()).toEqual(whole)
    })
  })

  it('asks nothing about a canceled one if its deletion is redone after both were sent', async () => {
    await edit([{ kind: 'delete', key: occurrence(5) }])
    await sent()
    await edit(deleteSeries(seriesAt(6), 'all'))
    await sent()
    await here.replica.undo()
    expect(await sent()).toEqual(['04T09 Standup', '06T09 Standup', '07T09 Retro', '08T09 Standup'])
    await here.replica.redo()
    expect(await sent()).toEqual([])
  })

  it('is whole again after the cut is undone', async () => {
    await edit(deleteSeries(seriesAt(6), 'following'))
    await here.replica.undo()
    expect(await sent()).toEqual(['04T09 Standup', '05T09 Standup', '06T09 Standup', '07T09 Retro', '08T09 Standup'])
  })
})
