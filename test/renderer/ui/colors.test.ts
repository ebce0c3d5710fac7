import { describe, expect, it } from 'vitest'
import { contrast, tintOf } from '../../../src-renderer/ui/colors'

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
]
for (let index = 0; index < 60; index++)
  colors.push(`#${((index * 2_654_435_761) % 0xffffff).toString(16).padStart(6, '0')}`)
const surfaces = { light: '#ffffff', dark: '#17181c' } as const

describe.each(['light', 'dark'] as const)('calendar colours on %s', (theme) => {
  it('text on any of them can be read', () => {
    for (const color of colors) {
      const { fill, ink } = tintOf(color, theme)
      expect(contrast(fill, ink), color).toBeGreaterThanOrEqual(4.5)
    }
  })
  it('edges stand out from the window', () => {
    for (const color of colors)
      expect(contrast(tintOf(color, theme).edge, surfaces[theme]), color).toBeGreaterThanOrEqual(3)
  })
})

it('contrast is that of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})
