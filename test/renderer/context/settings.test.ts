import { describe, expect, it } from 'vitest'
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
  it.each([null, '', '{', '[]', '7', 'null'])('fall back to the defaults: %s', (text) => {
    expect(parseSettings(text)).toEqual(parseSettings(null))
  })
  it('survive a restart', () => {
    const storage = memory()
    new Settings(storage).set({ theme: 'dark', hiddenCalendars: ['team'] })
    expect(new Settings(storage).values).toMatchObject({ theme: 'dark', hiddenCalendars: ['team'] })
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
