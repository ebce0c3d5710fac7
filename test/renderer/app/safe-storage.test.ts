import { describe, expect, it } from 'vitest'
import { safeStorage } from '../../../src-renderer/app/safe-storage'

/** A storage in memory. */
function storageWith(items: Record<string, string>): Storage & { items: Map<string, string> } {
  const map = new Map(Object.entries(items))
  return {
    items: map,
    getItem: (key) => map.get(key) ?? null,
    setItem: (key, value) => void map.set(key, value),
    removeItem: (key) => void map.delete(key),
    clear: () => map.clear(),
    key: (index) => [...map.keys()][index] ?? null,
    get length() {
      return map.size
    },
  }
}

const settings = { theme: 'dark', weekStart: '1', view: 'reports', sidebarWidth: 400, sheets: { campaigns: ['id'] } }
const real = () =>
  storageWith({ 'flightplan.settings': JSON.stringify(settings), 'flightplan.drafts': '[{"title":"Half typed"}]' })
const kept = (storage: Storage): unknown => JSON.parse(storage.getItem('flightplan.settings')!)

describe('in safe mode', () => {
  it('settings are read, without what the window showed', () => {
    expect(kept(safeStorage(real()))).toEqual({ theme: 'dark', weekStart: '1' })
  })

  it('unsaved forms seem to be missing and stay stored, whatever is written over them', () => {
    const storage = real()
    const safe = safeStorage(storage)
    expect(safe.getItem('flightplan.drafts')).toBeNull()
    safe.setItem('flightplan.drafts', '[]')
    expect(safe.getItem('flightplan.drafts')).toBe('[]')
    expect(storage.items.get('flightplan.drafts')).toBe('[{"title":"Half typed"}]')
  })

  it('what is removed is removed for good, with what was typed before', () => {
    const storage = storageWith({ 'flightplan.lines.a': '[{"key":"before"}]' })
    const safe = safeStorage(storage)
    safe.setItem('flightplan.lines.a', '[{"key":"new"}]')
    safe.removeItem('flightplan.lines.a')
    expect([safe.getItem('flightplan.lines.a'), storage.items.has('flightplan.lines.a')]).toEqual([null, false])
    safe.setItem('flightplan.lines.a', '[{"key":"later"}]')
    expect(storage.items.get('flightplan.lines.a')).toBe('[{"key":"later"}]')
  })

  it('text that is typed is stored for the next normal start, next to what was there', () => {
    for (const key of ['flightplan.drafts.a', 'flightplan.lines.a', 'flightplan.unwritten.a']) {
      const storage = storageWith({ [key]: '[{"key":"before"}]' })
      const safe = safeStorage(storage)
      safe.setItem(key, '[{"key":"new"},{"key":"saved"}]')
      safe.setItem(key, '[{"key":"new"}]')
      expect(safe.getItem(key)).toBe('[{"key":"new"}]')
      expect(JSON.parse(storage.items.get(key)!)).toEqual([{ key: 'new' }, { key: 'before' }])
    }
  })

  it('stores changed settings but not the layout', () => {
    const storage = real()
    const safe = safeStorage(storage)
    safe.setItem(
      'flightplan.settings',
      JSON.stringify({ ...settings, theme: 'light', view: 'tasks', sidebarWidth: 200 }),
    )
    expect(kept(storage)).toEqual({ theme: 'light', weekStart: '1', sidebarWidth: 400, sheets: { campaigns: ['id'] } })
  })

  it('the last view is forgotten, because it may be what goes wrong', () => {
    const storage = real()
    safeStorage(storage)
    expect(kept(storage)).not.toHaveProperty('view')
  })

  it('damaged or missing settings are as on a first start', () => {
    for (const items of [{}, { 'flightplan.settings': '{oops' }, { 'flightplan.settings': '[1]' }])
      expect(kept(safeStorage(storageWith(items as Record<string, string>)))).toEqual({})
  })
})
