import { describe, expect, it, vi } from 'vitest'
import { isSingleKey, keptByFocus, keysOf, normalKeys } from '../../../src-renderer/context/keys'

const press = (
  key: string,
  held: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'altGraph', boolean>> = {},
): string => keysOf({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held })

describe('shortcuts from a key event', () => {
  it.each([
    [press('c'), 'c'],
    [press('C', { shiftKey: true }), 'Shift+c'],
    [press('?', { shiftKey: true }), '?'],
    [press('z', { ctrlKey: true }), 'Ctrl+z'],
    [press('Z', { ctrlKey: true, shiftKey: true }), 'Ctrl+Shift+z'],
    [press('k', { metaKey: true }), 'Ctrl+k'],
    [press('ArrowUp', { altKey: true, shiftKey: true }), 'Alt+Shift+ArrowUp'],
    [press(' '), 'Space'],
    [press('[', { ctrlKey: true }), 'Ctrl+['],
    // AltGr types characters on many keyboards and reports Ctrl+Alt.
    [press('@', { ctrlKey: true, altKey: true, altGraph: true }), '@'],
  ])('%s', (keys, expected) => {
    expect(keys).toBe(expected)
  })
  it('accept commands in either case', () => {
    expect(normalKeys('Ctrl+Shift+Z')).toBe('Ctrl+Shift+z')
    expect(normalKeys('C')).toBe('c')
    expect(normalKeys('Ctrl++')).toBe('Ctrl++')
  })
  it('treat a capital letter as a single key', () => {
    expect(['p', 'Shift+p', '?'].every(isSingleKey)).toBe(true)
    expect(['Shift+Tab', 'Ctrl+p', 'Enter'].some(isSingleKey)).toBe(false)
  })
  it('reach commands from a grid if they type nothing', () => {
    class Grid {
      readonly dataset = { keys: 'local' }
      closest = (selector: string): Grid | null => (selector === '[data-keys]' ? this : null)
    }
    vi.stubGlobal('Element', Grid)
    const grid = new Grid() as unknown as EventTarget
    for (const keys of ['F8', 'Shift+F8', 'Ctrl+p']) expect(keptByFocus(keys, grid), keys).toBe(false)
    for (const keys of ['f', 'Shift+f', 'Shift+Tab', 'Shift+Home']) expect(keptByFocus(keys, grid), keys).toBe(true)
    vi.unstubAllGlobals()
  })
})
