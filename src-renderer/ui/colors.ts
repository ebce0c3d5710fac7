/** Colour arithmetic for calendar colours: any colour a service gives becomes a tint whose text holds 4.5:1. */
type Rgb = readonly [number, number, number]

export interface Tint {
  /** Behind the text. */
  fill: string
  /** The text; at least 4.5:1 on `fill`. */
  ink: string
  /** The bar at the edge, dots and tick boxes; at least 3:1 on the theme's surface. */
  edge: string
}

const surfaces: Readonly<Record<'light' | 'dark', Rgb>> = { light: [255, 255, 255], dark: [23, 24, 28] }

/** `#rgb` or `#rrggbb`; anything else is a neutral grey. */
export function rgbOf(hex: string): Rgb {
  const match = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(hex.trim())
  if (!match) return [120, 124, 140]
  const full = match[1]!.length === 3 ? [...match[1]!].map((digit) => digit + digit).join('') : match[1]!
  return [0, 2, 4].map((at) => parseInt(full.slice(at, at + 2), 16)) as unknown as Rgb
}

export const hexOf = (rgb: Rgb): string =>
  `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`

const mix = (a: Rgb, b: Rgb, share: number): Rgb =>
  [0, 1, 2].map((at) => a[at]! * (1 - share) + b[at]! * share) as unknown as Rgb

function luminance(rgb: Rgb): number {
  const [r, g, b] = rgb.map((part) => {
    const c = part / 255
    return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
}

/** WCAG 2 contrast, 1 to 21. */
export function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(rgbOf(a)), luminance(rgbOf(b))].sort((x, y) => y - x)
  return (light! + 0.05) / (dark! + 0.05)
}

function towards(color: Rgb, goal: Rgb, against: Rgb, ratio: number): Rgb {
  for (let share = 0; share <= 1; share += 0.04) {
    const mixed = mix(color, goal, share)
    if (contrast(hexOf(mixed), hexOf(against)) >= ratio) return mixed
  }
  return goal
}

export function tintOf(hex: string, theme: 'light' | 'dark'): Tint {
  const color = rgbOf(hex)
  const surface = surfaces[theme]
  const goal: Rgb = theme === 'light' ? [16, 17, 24] : [255, 255, 255]
  const fill = mix(surface, color, theme === 'light' ? 0.17 : 0.3)
  return {
    fill: hexOf(fill),
    ink: hexOf(towards(mix(color, goal, 0.35), goal, fill, 5)),
    edge: hexOf(towards(color, goal, surface, 3.1)),
  }
}
