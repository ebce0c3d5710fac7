import { zonePlaces } from '#shared/domain/quick-add/words/zones'
import { isZone, listedName, offsetAt } from '#shared/time/zones'
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

/** Zones that `Intl` lists by a former name of their city. */
const renamed: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'Africa/Asmera': 'Africa/Asmara',
    'America/Coral_Harbour': 'America/Atikokan',
    'America/Godthab': 'America/Nuuk',
    'Asia/Calcutta': 'Asia/Kolkata',
    'Asia/Katmandu': 'Asia/Kathmandu',
    'Asia/Rangoon': 'Asia/Yangon',
    'Asia/Saigon': 'Asia/Ho_Chi_Minh',
    'Atlantic/Faeroe': 'Atlantic/Faroe',
    'Europe/Kiev': 'Europe/Kyiv',
    'Pacific/Enderbury': 'Pacific/Kanton',
    'Pacific/Ponape': 'Pacific/Pohnpei',
    'Pacific/Truk': 'Pacific/Chuuk',
  }),
)
/** Well-known places, by zone. */
const places = new Map<string, string>()
for (const [place, zone] of zonePlaces) places.set(zone, `${places.get(zone) ?? ''} ${place}`)

const currentName = (zone: string): string => renamed.get(zone) ?? zone

/** `New York` of `America/New_York`, and `Kolkata` of `Asia/Calcutta`. */
export const cityOf = (zone: string): string => currentName(zone).split('/').at(-1)!.replaceAll('_', ' ')

/**
 * Every time zone by city, with its offset at an instant, searchable by city, region, offset, and well-known places.
 * @param own zones listed first, such as the user's. Values that aren't zones are ignored
 */
export function zoneChoices(at: number, own: readonly (string | null | undefined)[] = []): Choice[] {
  const choice = (zone: string, group: string): Choice => {
    const aside = offsetWords(zone, at)
    const name = currentName(zone)
    const words = `${zone} ${name} ${aside.replace('GMT', 'UTC')}${places.get(name) ?? ''}`
    return { value: zone, label: cityOf(zone), aside, words, group }
  }
  const first = new Map<string, string>()
  for (const zone of [...own, 'UTC'])
    if (zone && isZone(zone) && !first.has(listedName(zone))) first.set(listedName(zone), zone)
  const others = Intl.supportedValuesOf('timeZone').filter((zone) => !first.has(zone))
  return [
    ...[...first.values()].map((zone) => choice(zone, 'Yours')),
    ...others
      .map((zone) => choice(zone, zone.includes('/') ? zone.slice(0, zone.indexOf('/')) : 'Other'))
      .sort((a, b) => (a.group! < b.group! ? -1 : a.group! > b.group! ? 1 : a.label < b.label ? -1 : 1)),
  ]
}
