import { describe, expect, it } from 'vitest'
import { noteComputerZone } from '../../../src-renderer/app/computer-zone'
import type { AppContext } from '../../../src-renderer/context/context'
import { Settings } from '../../../src-renderer/context/settings.svelte'
import { Toasts } from '../../../src-renderer/ui/toasts.svelte'

/** Starts the app in these zones, one after the other in the order given, and returns what's said. */
function starts(zones: readonly string[], chosen = 'service'): string[] {
  const stored = new Map<string, string>()
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  }
  new Settings(storage).set({ zone: chosen })
  return zones.flatMap((zone) => {
    const toasts = new Toasts()
    const app = {
      settings: new Settings(storage),
      preferences: { zone: 'Europe/Berlin' },
      toasts,
      clock: { now: Date.UTC(2026, 5, 10) },
    }
    noteComputerZone(app as unknown as AppContext)(zone)
    return toasts.list.map(({ text }) => text)
  })
}

describe('the time zone of the computer', () => {
  it('is said once if it changed while the app was closed', () => {
    expect(starts(['Europe/Berlin', 'Asia/Tokyo', 'Asia/Tokyo'])).toEqual([
      'This computer is now in Tokyo time. Times are still shown in Berlin time.',
    ])
    expect(starts(['Europe/Berlin', 'Asia/Tokyo'], 'computer')).toEqual([
      'Times are now in Tokyo time, as on this computer',
    ])
  })

  it('isn’t mentioned at the first start, on the way back, or where clocks show the same', () => {
    expect(starts(['Asia/Tokyo', 'Europe/Berlin', 'Europe/Paris', 'no zone'])).toEqual([])
  })

  it('takes its message away when it changes again', () => {
    const toasts = new Toasts()
    const values = { computerZone: 'Europe/Berlin', zone: 'service' }
    const settings = { values, set: (patch: object) => Object.assign(values, patch) }
    const app = { settings, preferences: { zone: 'Europe/Berlin' }, toasts, clock: { now: Date.UTC(2026, 5, 10) } }
    const note = noteComputerZone(app as unknown as AppContext)
    note('Asia/Tokyo')
    expect(toasts.list).toHaveLength(1)
    note('Europe/Berlin')
    expect(toasts.list).toEqual([])
  })
})
