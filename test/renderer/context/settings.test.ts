import { describe, expect, it } from 'vitest'
import { isMoneyLimit, usualLimits } from '#shared/changes/money-guard'
import { parseSettings, Settings } from '../../../src-renderer/context/settings.svelte'

const memory = (start: string | null = null) => {
  let text = start
  return { getItem: () => text, setItem: (_: string, value: string) => void (text = value) }
}

describe("the window's settings", () => {
  it('are read field by field: only a damaged one falls back', () => {
    const settings = parseSettings(
      JSON.stringify({ theme: 'dark', sidebarWidth: 'wide', calendarLayout: 'month', hiddenCalendars: [1] }),
    )
    expect(settings).toMatchObject({ theme: 'dark', sidebarWidth: 232, calendarLayout: 'month', hiddenCalendars: [] })
  })
  it('lose only the conflict rules that are damaged', () => {
    const rule = { collection: 'placements', field: 'comment', keep: 'theirs', money: false }
    const ruled = { edit: 'a', places: [{ path: 'comment', base: null, keep: 'theirs' }] }
    const conflictRules = { work: [rule, { ...rule, keep: 'louder' }, 7], home: 'none' }
    const settings = parseSettings(
      JSON.stringify({ conflictRules, ruledConflicts: { work: [ruled, 'a', { edit: 7 }] } }),
    )
    expect([settings.conflictRules, settings.ruledConflicts]).toEqual([{ work: [rule], home: [] }, { work: [ruled] }])
  })
  it.each([null, '', '{', '[]', '7', 'null'])('fall back to the defaults: %s', (text) => {
    expect(parseSettings(text)).toEqual(parseSettings(null))
  })
  it('survive a restart', () => {
    const storage = memory()
    new Settings(storage).set({ theme: 'dark', hiddenCalendars: ['team'] })
    expect(new Settings(storage).values).toMatchObject({ theme: 'dark', hiddenCalendars: ['team'] })
  })
  it('of an account go with it, and others stay', () => {
    const storage = memory()
    const settings = new Settings(storage)
    const both = (value: unknown): Record<string, unknown> => ({ work: value, home: value })
    const view = { dayCount: 4, hideWeekends: true, hourHeight: 60 }
    settings.set({
      sheetViews: both({ placements: [] }),
      checkRules: both([]),
      calendarSets: both([{ name: 'Team' }]),
      calendarViews: { work: view, home: view },
      continuedTasks: { work: ['a'] },
    })
    settings.forget('work')
    expect(new Settings(storage).values).toMatchObject({
      sheetViews: { home: { placements: [] } },
      checkRules: { home: [] },
      calendarSets: { home: [{ name: 'Team' }] },
      calendarViews: { home: view },
    })
    expect(`${storage.getItem()}${JSON.stringify(settings.values)}`).not.toContain('"work"')
  })
  it('follow other windows, except for what each window shows', () => {
    const storage = memory()
    const [here, there] = [new Settings(storage), new Settings(storage)]
    here.set({ theme: 'dark', view: 'tasks' })
    // Before it has heard of that.
    there.set({ zone: 'computer', calendarLayout: 'month' })
    here.readAgain()
    there.readAgain()
    const shared = { theme: 'dark', zone: 'computer' }
    expect(here.values).toMatchObject({ ...shared, view: 'tasks', calendarLayout: 'week' })
    expect(there.values).toMatchObject({ ...shared, view: 'calendar', calendarLayout: 'month' })
    expect(new Settings(storage).values).toMatchObject({ ...shared, view: 'tasks', calendarLayout: 'month' })
  })
  it('still work when storage fails, which is said once until it works again', () => {
    let isFull = true
    let stored = ''
    let said = 0
    const setItem = (_key: string, text: string): void => {
      if (isFull) throw new Error('full')
      stored = text
    }
    const settings = new Settings({ getItem: () => null, setItem }, () => void said++)
    settings.set({ theme: 'dark' })
    settings.set({ view: 'tasks' })
    expect([settings.values.theme, settings.values.view, stored, said]).toEqual(['dark', 'tasks', '', 1])
    isFull = false
    settings.set({ singleKeys: false })
    expect([parseSettings(stored).theme, said]).toEqual(['dark', 1])
    isFull = true
    settings.set({ theme: 'light' })
    expect(said).toBe(2)
  })
})

it('money limits that can be typed come back, and one that’s damaged leaves the other', () => {
  const limits = (times: unknown, amount: unknown) =>
    parseSettings(JSON.stringify({ moneyLimits: { times, amount } })).moneyLimits
  for (const times of [0.5, 1, 1.5, 1e6, 1e9, Number.NaN])
    for (const amount of [-1, 0, 500.25, 1e12, 1e15]) {
      const taken = { times: isMoneyLimit('times', times), amount: isMoneyLimit('amount', amount) }
      expect(limits(times, amount)).toEqual({
        times: taken.times ? times : usualLimits.times,
        amount: taken.amount ? amount : usualLimits.amount,
      })
    }
  expect([isMoneyLimit('times', 1e6), isMoneyLimit('amount', 0)]).toEqual([true, true])
})
