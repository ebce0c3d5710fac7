import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  calendarColors,
  contrast,
  hexOfLch,
  hueDistance,
  lchOf,
  surfaces,
  tintOf,
} from '../../../src-renderer/ui/colors'

const colors = [
  '#000000',
  '#ffffff',
  '#fbe983',
  '#4986e7',
  '#16a765',
  '#f83a22',
  '#e1e1e1',
  '#7ae7bf',
  '#ff00ff',
  '#010101',
  '#fefe00',
  'nonsense',
  ...calendarColors,
]
for (let index = 0; index < 60; index++)
  colors.push(`#${((index * 2_654_435_761) % 0xffffff).toString(16).padStart(6, '0')}`)

const css = readFileSync(resolve(import.meta.dirname, '../../../src-renderer/ui/tokens.css'), 'utf8')
/** Token values that are plain colors, by name. */
function tokensOf(theme: 'light' | 'dark'): Record<string, string> {
  const [light, dark] = css.split(":root[data-theme='dark']")
  const read = (text: string): Record<string, string> =>
    Object.fromEntries([...text.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]))
  return theme === 'light' ? read(light!) : { ...read(light!), ...read(dark!) }
}

describe.each(['light', 'dark'] as const)('the %s tokens', (theme) => {
  const token = tokensOf(theme)
  it.each(['surface', 'surface-sunken', 'surface-raised', 'surface-selected', 'field'])(
    'have readable text in every tone on %s',
    (on) => {
      for (const name of ['text', 'text-soft', 'text-faint', 'accent-text', 'danger', 'warning', 'success'])
        expect(contrast(token[name]!, token[on]!), name).toBeGreaterThanOrEqual(4.5)
    },
  )
  it('have readable text on warnings, errors, and pressed controls', () => {
    expect(contrast(token['danger']!, token['danger-surface']!)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(token['warning']!, token['warning-surface']!)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(token['text']!, token['warning-surface']!)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(token['on-accent']!, token['accent']!)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(token['on-accent']!, token['accent-hover']!)).toBeGreaterThanOrEqual(4.5)
  })
  it('have visible control borders', () => {
    for (const on of ['surface', 'surface-sunken', 'surface-raised'])
      expect(contrast(token['line-control']!, token[on]!)).toBeGreaterThanOrEqual(3)
  })
  it('match the surface that tints are based on', () => {
    expect(token['surface']).toBe(surfaces[theme])
  })
})

describe.each(['light', 'dark'] as const)('calendar colors in %s', (theme) => {
  it('have readable text', () => {
    for (const color of colors) {
      const { fill, strongFill, ink, softInk } = tintOf(color, theme)
      for (const ground of [fill, strongFill]) {
        expect(contrast(ground, ink), color).toBeGreaterThanOrEqual(4.5)
        expect(contrast(ground, softInk), color).toBeGreaterThanOrEqual(4.5)
      }
    }
  })
  it('have visible edges', () => {
    for (const color of colors)
      expect(contrast(tintOf(color, theme).edge, surfaces[theme]), color).toBeGreaterThanOrEqual(3)
  })
  it('are equally prominent', () => {
    for (const part of ['fill', 'edge'] as const) {
      const lightness = colors.map((color) => lchOf(tintOf(color, theme)[part]).lightness)
      expect(Math.max(...lightness) - Math.min(...lightness)).toBeLessThan(0.02)
    }
  })
  it('never use the error red', () => {
    for (const color of colors) {
      const drawn = lchOf(tintOf(color, theme).edge)
      if (drawn.chroma > 0.02) expect(hueDistance(drawn.hue, 27), color).toBeGreaterThan(17)
    }
  })
})

it('the twelve offered colors have equal lightness and distinct neighbors', () => {
  expect(new Set(calendarColors).size).toBe(12)
  const drawn = calendarColors.map(lchOf)
  for (const [index, { lightness, hue }] of drawn.entries()) {
    expect(lightness).toBeCloseTo(0.61, 2)
    expect(hueDistance(hue, drawn[(index + 1) % 12]!.hue)).toBeGreaterThan(25)
  }
})

it('a color survives conversion to OKLCH and back', () => {
  for (const color of colors.filter((one) => one.startsWith('#'))) expect(hexOfLch(lchOf(color))).toBe(color)
})

it('contrast follows WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})
