import { describe, expect, it } from 'vitest'
import { CalendarActions } from '../../../../src-renderer/views/calendar/actions.svelte'
import type { Entry } from '../../../../src-renderer/views/calendar/layout/entry'
import type { CalendarModel } from '../../../../src-renderer/views/calendar/model.svelte'

const dayMs = 86_400_000
const entryOf = (title: string, fixed?: 'guest' | 'locked'): Entry =>
  ({ key: title, title, start: 0, end: 60_000, allDay: false, event: { calendarId: 'cal', fixed } }) as Entry
const shown: string[] = []
const app = { toasts: { show: (text: string) => shown.push(text) } }
const actions = new CalendarActions({ app, canEdit: () => true } as unknown as CalendarModel)
const moved = async (entry: Entry): Promise<string | undefined> => {
  shown.length = 0
  expect(await actions.reschedule(entry, { start: dayMs, end: dayMs + 60_000, allDay: false })).toBe(false)
  return shown[0]
}

describe('an event that only its organizer can change', () => {
  const [invitation, locked] = [entryOf('Review', 'guest'), entryOf('Audit', 'locked')]

  it('isn’t moved, and says why', async () => {
    expect(await moved(invitation)).toBe('Only the organizer can change “Review”.')
    expect(await moved(locked)).toBe('The organizer locked “Audit”.')
  })

  it('isn’t moved with others, but can be colored and deleted with them', async () => {
    const together = [entryOf('Lunch'), invitation]
    expect(actions.group.obstacle(together)).toBeUndefined()
    expect(await actions.group.move(together, 'Lunch', { days: 1, by: 0 })).toBe(false)
    expect(shown.at(-1)).toBe('Nothing changed. Only the organizer can change “Review”.')
    expect(actions.group.whyFixed([invitation, locked])).toBe('Only their organizers can change 2 selected events')
    expect(actions.group.whyFixed([entryOf('Lunch')])).toBeUndefined()
  })
})
