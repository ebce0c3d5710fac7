import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Row } from '../../../../src-renderer/replica/api'
import { CalendarActions } from '../../../../src-renderer/views/calendar/actions.svelte'
import type { EventDraft } from '../../../../src-renderer/views/calendar/editor/draft.svelte'
import { EditorState } from '../../../../src-renderer/views/calendar/editor/state.svelte'
import type { Entry } from '../../../../src-renderer/views/calendar/layout/entry'
import { CalendarModel } from '../../../../src-renderer/views/calendar/model.svelte'

const entry = { key: 'e', title: 'Bank holiday', start: 0, end: 60_000, event: { calendarId: 'holidays' } } as Entry
const span = { start: 0, end: 60_000, allDay: false }
const shown: string[] = []
const app = {
  account: { id: 'one' },
  announce: () => undefined,
  bridge: { on: () => () => undefined },
  toasts: { show: (text: string) => shown.push(text) },
  replica: {
    rows: () => [{ id: 'holidays', value: {} }],
    peek: () => undefined,
    readItem: () => Promise.resolve({ event: { summary: 'Bank holiday', etag: 'x' } }),
  },
}
const model = Object.create(CalendarModel.prototype, {
  app: { value: app },
  calendars: { value: [{ id: 'holidays', name: 'Holidays', primary: false, writable: false }] },
  calendar: { value: () => ({ id: 'holidays', writable: false }) },
}) as CalendarModel
const why = 'You don’t have a calendar you can edit. Add one in the sidebar first.'

beforeEach(() => {
  shown.length = 0
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined })
})

describe('without a calendar that takes new events', () => {
  const actions = new CalendarActions(model)

  it.each([
    ['a new event', () => new EditorState(model, actions).create(span), why],
    [
      'a stored draft',
      () => new EditorState(model, actions).takeUp({ key: 'k', calendarId: 'holidays', touched: {} } as never),
      why,
    ],
    ['a duplicate', () => actions.duplicate(entry), `Couldn’t copy “Bank holiday”. ${why}`],
    ['a copy at another time', () => actions.copyTo(entry, span), `Couldn’t copy “Bank holiday”. ${why}`],
    [
      'a copy of a form',
      () => actions.duplicateDraft({ item: entry.event, value: { summary: 'Fair' } } as unknown as EventDraft),
      `Couldn’t copy “Fair”. ${why}`,
    ],
    [
      'a planned task',
      () => actions.plan({ value: { title: 'Call' } } as unknown as Row, span),
      `Couldn’t plan “Call”. ${why}`,
    ],
  ])('%s says why it isn’t added', async (_what, add, words) => {
    void add()
    await expect.poll(() => shown).toEqual([words])
  })

  it('an event can still be copied, and pasting it says why it isn’t added', async () => {
    await actions.copy(entry)
    expect(actions.clipboard?.event).toEqual({ summary: 'Bank holiday' })
    await actions.paste()
    expect(shown).toEqual([`Couldn’t paste “Bank holiday”. ${why}`])
  })
})
