import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { spokenKeys } from '../../../src-renderer/ui/spoken-keys'
import { panelPlace, sidebarYields } from '../../../src-renderer/ui/panel-place'

const root = resolve(import.meta.dirname, '../../../src-renderer')
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.svelte'))
  .map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }))

it('no component uses a native select or datalist', () => {
  const natives = files.filter(({ text }) => /<(select|datalist)[\s>]/.test(text)).map(({ name }) => name)
  expect(natives).toEqual([])
})

it('key caps appear only in hints, menus, questions, and lists of shortcuts', () => {
  const caps = files.filter(({ text }) => /<Kbd\b/.test(text)).map(({ name }) => name)
  expect(caps.sort()).toEqual([
    'app/CheatSheet.svelte',
    'app/Palette.svelte',
    'app/StatusLine.svelte',
    'app/first-run/Shortcuts.svelte',
    'ui/MenuItems.svelte',
    'ui/Tooltips.svelte',
    'views/calendar/QuestionForm.svelte',
  ])
})

it('the sidebar hides in windows from 1000 px on only where a panel needs its room', () => {
  const frame = readFileSync(join(root, 'ui/ViewFrame.svelte'), 'utf8')
  expect(frame).toMatch(/const sidebarFrom = 928\n/)
  expect(frame).toMatch(
    /const fits = \$derived\(\s*width >= sidebarFrom &&\s*!\(inspector && sidebarOpen && sidebarYields\(/,
  )
})

describe('the position of a panel', () => {
  it('covers the view in a small window', () => {
    expect(panelPlace(843, 372, 1328)).toBe('covering')
  })
  it('overlays the edge of a narrower window', () => {
    expect(panelPlace(844, 372, 1328)).toBe('over')
    expect(panelPlace(1327, 604, 1328)).toBe('over')
  })
  it('is next to the view at larger widths, if enough room remains', () => {
    expect(panelPlace(1328, 604, 1328)).toBe('docked')
    expect(panelPlace(1328, 1120, 1328)).toBe('over')
  })
  it('is that of the sidebar where there’s no room for both', () => {
    expect([931, 932, 1163, 1164].map((frame) => sidebarYields(frame, 372, 232, 932))).toEqual([
      false,
      true,
      true,
      false,
    ])
    expect(sidebarYields(1327, 372, 600, 1328)).toBe(false)
  })
})

it('shortcuts have full names for assistive technology', () => {
  expect(spokenKeys('Ctrl+Enter')).toBe('Control+Enter')
  expect(spokenKeys('Delete')).toBe('Delete')
})
