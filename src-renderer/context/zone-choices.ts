import { isZone, offsetAt } from '#shared/time/zones'
import type { Choice } from '../ui/choices'

const minuteMs = 60_000

/** `GMT+5:30`; the offset that holds at an instant. */
export function offsetWords(zone: string, at: number): string {
  const minutes = offsetAt(at, zone) / minuteMs
  if (minutes === 0) return 'GMT'
  const size = Math.abs(minutes)
  const rest = size % 60
  return `GMT${minutes < 0 ? '−' : '+'}${Math.floor(size / 60)}${rest ? `:${String(rest).padStart(2, '0')}` : ''}`
}

/** `New York` of `America/New_York`. */
export const cityOf = (zone: string): string => zone.split('/').at(-1)!.replaceAll('_', ' ')

/**
 * Every time zone by city, with its offset at an instant, searchable by city, region, and offset.
 * @param own zones listed first, such as the user's. Values that aren't zones are ignored
 */
export function zoneChoices(at: number, own: readonly (string | null | undefined)[] = []): Choice[] {
  const first = [...new Set([...own, 'UTC'])].filter((zone): zone is string => !!zone && isZone(zone))
  const choice = (zone: string, group: string): Choice => {
    const aside = offsetWords(zone, at)
    return { value: zone, label: cityOf(zone), aside, words: `${zone} ${aside.replace('GMT', 'UTC')}`, group }
  }
  const others = Intl.supportedValuesOf('timeZone').filter((zone) => !first.includes(zone))
  return [
    ...first.map((zone) => choice(zone, 'Yours')),
    ...others
      .map((zone) => choice(zone, zone.includes('/') ? zone.slice(0, zone.indexOf('/')) : 'Other'))
      .sort((a, b) => (a.group! < b.group! ? -1 : a.group! > b.group! ? 1 : a.label < b.label ? -1 : 1)),
  ]
}
