/**
 * Calendar colors. Keeps the hue of any color a service sends, and draws all with the same lightness and chroma
 * (OKLCH), so that none dominates and text on each is readable.
 */
type Rgb = readonly [number, number, number]
interface Lch {
  /** 0 to 1. */
  lightness: number
  /** 0 to about 0.37. */
  chroma: number
  /** Degrees. */
  hue: number
}

export interface Tint {
  /** Behind the text. */
  fill: string
  /** Fill of a selected item. */
  strongFill: string
  /** A title; at least 4.5:1 on either fill. */
  ink: string
  /** Hue of secondary text such as times, with a contrast of at least 4.5:1 on either fill. */
  softInk: string
  /** The bar at the edge, dots and tick boxes; at least 3:1 on the theme's surface. */
  edge: string
}

/** Same values as in tokens.css. */
export const surfaces: Readonly<Record<'light' | 'dark', string>> = { light: '#ffffff', dark: '#17181c' }

/** Default if a service sets no color. */
export const plainColor = '#7986cb'

/** Red means an error, so calendar hues this close to it are shifted away. */
const errorHue = 27
const errorReach = 20

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

const linear = (part: number): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
const gamma = (part: number): number => (part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055)

/** WCAG 2 contrast, 1 to 21. */
export function contrast(a: string, b: string): number {
  const luminance = (hex: string): number => {
    const [r, g, b] = rgbOf(hex).map((part) => linear(part / 255))
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
  }
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (light! + 0.05) / (dark! + 0.05)
}

/** sRGB to OKLCH, after Björn Ottosson's matrices. */
export function lchOf(hex: string): Lch {
  const [r, g, b] = rgbOf(hex).map((part) => linear(part / 255)) as [number, number, number]
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s
  const green = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const blue = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  const hue = (Math.atan2(blue, green) * 180) / Math.PI
  return { lightness, chroma: Math.hypot(green, blue), hue: (hue + 360) % 360 }
}

/** OKLCH to sRGB; the chroma is lowered until the color can be shown. */
export function hexOfLch({ lightness, chroma, hue }: Lch): string {
  const angle = (hue * Math.PI) / 180
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)]
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const parts = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
  if (chroma > 0.001 && parts.some((part) => part < -0.0005 || part > 1.0005))
    return hexOfLch({ lightness, chroma: chroma - 0.004, hue })
  return hexOf(parts.map((part) => 255 * gamma(Math.max(0, Math.min(1, part)))) as unknown as Rgb)
}

/** Degrees between two hues, 0 to 180. */
export const hueDistance = (a: number, b: number): number => Math.abs(((((a - b) % 360) + 540) % 360) - 180)

function drawnHue(hue: number): number {
  if (hueDistance(hue, errorHue) >= errorReach) return hue
  const above = (hue - errorHue + 360) % 360 < 180
  return (errorHue + (above ? errorReach : -errorReach) + 360) % 360
}

export function tintOf(hex: string, theme: 'light' | 'dark'): Tint {
  const { hue: given, chroma: strength } = lchOf(hex)
  const hue = drawnHue(given)
  // The hue of a near-gray color is arbitrary.
  const colored = Math.min(1, strength / 0.06)
  const of = (lightness: number, chroma: number): string =>
    hexOfLch({ lightness, chroma: strength < 0.02 ? 0 : chroma * colored, hue })
  if (theme === 'light')
    return {
      fill: of(0.945, 0.04),
      strongFill: of(0.86, 0.08),
      ink: '#1b1c22',
      softInk: of(0.42, 0.1),
      edge: of(0.61, 0.15),
    }
  const edge = of(0.73, 0.13)
  const over = (share: number): string => hexOf(mix(rgbOf(surfaces.dark), rgbOf(edge), share))
  return {
    fill: over(0.2),
    strongFill: over(0.36),
    ink: of(0.92, 0.02),
    softInk: of(0.8, 0.08),
    edge,
  }
}

/** Names of `calendarColors`, in their order. */
export const calendarColorNames = [
  ...['Orange', 'Amber', 'Olive', 'Lime', 'Green', 'Teal'],
  ...['Cyan', 'Sky', 'Blue', 'Violet', 'Magenta', 'Pink'],
] as const

/** The colors offered for calendars: twelve hues of equal lightness, none of them red. */
export const calendarColors: readonly string[] = Array.from({ length: 12 }, (_, index) =>
  hexOfLch({ lightness: 0.61, chroma: 0.15, hue: (48 + index * 28) % 360 }),
)
