import ICAL from 'ical.js'
import { offsetAt, textOfWall } from '#shared/time/zones'

const day = 86_400_000

/** The instants in (from, to] at which a zone's offset changes. */
export function transitions(zone: string, from: number, to: number): number[] {
  const found: number[] = []
  for (let at = from; at < to; at += 30 * day) {
    const next = Math.min(at + 30 * day, to)
    if (offsetAt(at, zone) === offsetAt(next, zone)) continue
    let [low, high] = [at, next]
    while (high - low > 1000) {
      const middle = Math.floor((low + high) / 2000) * 1000
      if (middle <= low) break
      if (offsetAt(middle, zone) === offsetAt(low, zone)) low = middle
      else high = middle
    }
    found.push(high)
  }
  return found
}

/** A VTIMEZONE that holds for [from, to] in epoch milliseconds. */
export function zoneComponent(zone: string, from: number, to: number): ICAL.Component {
  const component = new ICAL.Component('vtimezone')
  component.addPropertyWithValue('tzid', zone)
  const winter = Math.min(...[0, 182].map((days) => offsetAt(from + days * day, zone)))
  observance(
    component,
    'standard',
    from - 366 * day,
    offsetAt(from - 366 * day, zone),
    offsetAt(from - 366 * day, zone),
  )
  for (const at of transitions(zone, from - 366 * day, to + 366 * day)) {
    const [before, after] = [offsetAt(at - 1000, zone), offsetAt(at, zone)]
    observance(component, after > winter ? 'daylight' : 'standard', at, before, after)
  }
  return component
}

function observance(parent: ICAL.Component, kind: string, at: number, before: number, after: number): void {
  const part = new ICAL.Component(kind)
  part.addPropertyWithValue('dtstart', ICAL.Time.fromDateTimeString(textOfWall(at + before)))
  part.addPropertyWithValue('tzoffsetfrom', ICAL.UtcOffset.fromSeconds(before / 1000))
  part.addPropertyWithValue('tzoffsetto', ICAL.UtcOffset.fromSeconds(after / 1000))
  parent.addSubcomponent(part)
}
