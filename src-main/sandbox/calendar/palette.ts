import type { ColorDefinition } from '#shared/wire/calendar/types'

const palette = (foreground: string, backgrounds: string): Record<string, ColorDefinition> =>
  Object.fromEntries(backgrounds.split(' ').map((background, index) => [String(index + 1), { background, foreground }]))

/** Background and foreground by color ID, as the service defines them. */
export const eventColors = palette(
  '#1d1d1d',
  '#a4bdfc #7ae7bf #dbadff #ff887c #fbd75b #ffb878 #46d6db #e1e1e1 #5484ed #51b749 #dc2127',
)

export const calendarColors = palette(
  '#1d1d1d',
  '#ac725e #d06b64 #f83a22 #fa573c #ff7537 #ffad46 #42d692 #16a765 #7bd148 #b3dc6c #fbe983 #fad165 ' +
    '#92e1c0 #9fe1e7 #9fc6e7 #4986e7 #9a9cff #b99aff #c2c2c2 #cabdbf #cca6ac #f691b2 #cd74e6 #a47ae2',
)

const channels = (color: string): number[] => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16))

/** The calendar color ID whose background is closest to `#rrggbb`. */
export function nearestCalendarColor(color: string): string {
  const wanted = channels(color)
  let best = '1'
  let least = Infinity
  for (const [id, { background }] of Object.entries(calendarColors)) {
    const distance = channels(background!).reduce((sum, value, index) => sum + (value - wanted[index]!) ** 2, 0)
    if (distance < least) [best, least] = [id, distance]
  }
  return best
}
