import { describe, expect, it } from 'vitest'
import { hiddenWith, isShown, readSets, setNameProblem } from '../../../../src-renderer/views/calendar/calendar-sets'
import { CalendarSets } from '../../../../src-renderer/views/calendar/sets.svelte'

const work = { name: 'Work', calendars: ['work', 'team'], tasks: true }
/** Only a newer version can read it. */
const newer = { ...work, name: 'Newer', weekends: false }

function open(stored: unknown, hiddenCalendars: string[] = []) {
  const undo: (() => void)[] = []
  const settings = {
    values: { calendarSets: stored, hiddenCalendars, showTasks: true },
    set: (change: object) => Object.assign(settings.values, change),
  }
  const messages: string[] = []
  const toasts = {
    show: (text: string, { action }: { action?: { run: () => void } } = {}) => {
      messages.push(text)
      if (action) undo.push(action.run)
    },
  }
  const replica = { realKey: (key: string) => key.replace('local:new', 'sent') }
  const calendars = ['home', 'work', 'team', 'sent'].map((id) => ({ id }))
  const all = {
    app: { settings, account: { id: 'one' }, toasts, announce: () => undefined, replica },
    calendars,
    get shown() {
      return new Set(calendars.map(({ id }) => id).filter((id) => !settings.values.hiddenCalendars.includes(id)))
    },
  }
  const sets = new CalendarSets(all as unknown as ConstructorParameters<typeof CalendarSets>[0])
  const kept = (): unknown => (settings.values.calendarSets as { one: unknown }).one
  return { sets, settings, kept, messages, undo: () => undo.pop()?.() }
}

describe('calendar sets', () => {
  it('hide nothing if all their calendars are gone', () => {
    const gone = { ...work, calendars: ['deleted'] }
    const { sets, settings, messages } = open({ one: [gone] }, ['home'])
    sets.apply(sets.list[0]!)
    expect(settings.values.hiddenCalendars).toEqual(['home'])
    expect(messages).toEqual(['The calendars of “Work” no longer exist. Nothing changed.'])
  })

  it('save, update, rename, and delete what is shown, each with a way back', () => {
    const { sets, kept, settings, undo } = open({ one: [], two: [work] }, ['home', 'sent'])
    sets.save(' Work ')
    expect(kept()).toEqual([work])
    settings.set({ hiddenCalendars: ['sent'], showTasks: false })
    sets.update(sets.list[0]!)
    expect(kept()).toEqual([{ name: 'Work', calendars: ['home', 'work', 'team'], tasks: false }])
    undo()
    expect(kept()).toEqual([work])
    sets.rename(sets.list[0]!, 'work')
    expect(kept()).toEqual([{ ...work, name: 'work' }])
    undo()
    sets.remove(sets.list[0]!)
    expect(kept()).toEqual([])
    undo()
    expect(kept()).toEqual([work])
    undo()
    expect(kept()).toEqual([])
    expect(settings.values.calendarSets).toMatchObject({ two: [work] })
  })

  it('show their calendars and no others of the account', () => {
    const { sets, settings } = open({ one: [work] }, ['team', 'of another account'])
    expect(sets.isCurrent(sets.list[0]!)).toBe(false)
    sets.apply(sets.list[0]!)
    expect(settings.values.hiddenCalendars).toEqual(['of another account', 'home', 'sent'])
    expect(sets.isCurrent(sets.list[0]!)).toBe(true)
    settings.set({ showTasks: false })
    expect(sets.isCurrent(sets.list[0]!)).toBe(false)
  })

  it('follow a calendar that was created here, and do without one that is gone', () => {
    const { sets } = open({ one: [{ ...work, calendars: ['local:new', 'gone'] }] }, ['home', 'work', 'team'])
    expect(sets.list[0]!.calendars).toEqual(['sent', 'gone'])
    expect(sets.isCurrent(sets.list[0]!)).toBe(true)
  })

  it('keep what only a newer version can read', () => {
    const { sets, kept } = open({ one: [newer, work, { ...work, name: 'WORK' }] })
    expect(sets.list).toEqual([work])
    sets.remove(work)
    expect(kept()).toEqual([newer])
  })

  it('have names of their own', () => {
    expect(setNameProblem([work], ' WORK')).toBe('Another set has this name')
    expect(setNameProblem([work], 'WORK', 'Work')).toBeUndefined()
    expect(setNameProblem([work], ' ')).toBe('Enter a name')
  })

  it('are read from nothing and from anything', () => {
    expect([undefined, null, 1, {}, [1, {}]].flatMap(readSets)).toEqual([])
    expect(hiddenWith(work, ['home', 'work'], ['x'])).toEqual(['x', 'home'])
    expect(isShown({ calendars: [], tasks: true }, { calendars: [], tasks: true }, [])).toBe(true)
  })
})
