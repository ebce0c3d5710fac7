import type { Day, Span } from './days'
import { convert, deliver, saleValue, type Moment } from './delivery'
import { draw } from './hash'
import { measureIndex as at, newSums } from './measures'
import type { Activity, Cell } from './tree'

/** A single generated conversion. */
export interface GeneratedConversion {
  id: string
  cell: Cell
  activity: Activity
  day: Day
  /** Seconds since midnight. */
  second: number
  afterClick: boolean
  revenueMicros: number
  /** Index among the conversions of one cell, activity, day, and kind. */
  number: number
  of: number
}

const delivered = newSums()
const converted = newSums()

/** Conversions of some cells on a day, as many as reports count, in the order of cells and activities. */
export function conversionsOn(cells: readonly Cell[], day: Day, moment: Moment): GeneratedConversion[] {
  const found: GeneratedConversion[] = []
  for (const cell of cells) {
    if (!deliver(cell, day, moment, delivered)) continue
    cell.activities.forEach((activity, index) => {
      if (!convert(cell, activity, index, day, delivered, converted)) return
      for (const afterClick of [true, false]) {
        const count = converted[afterClick ? at.clickConversions : at.viewConversions]!
        for (let number = 0; number < count; number++) {
          const chance = draw(cell.seed ^ activity.seed, day * 128 + number * 2 + (afterClick ? 1 : 0) + 0.5)
          const part = day === moment.today ? moment.passed : 1
          found.push({
            id: `${hex(cell.seed)}${hex(activity.seed)}${day.toString(36)}${afterClick ? 'c' : 'v'}${number}`,
            cell,
            activity,
            day,
            second: Math.floor(chance * 86_400 * part),
            afterClick,
            revenueMicros: activity.sale ? saleValue(cell, activity, day, number, afterClick) : 0,
            number,
            of: count,
          })
        }
      }
    })
  }
  return found
}

const hex = (value: number): string => value.toString(16).padStart(8, '0')

export function* conversionsIn(cells: readonly Cell[], span: Span, moment: Moment): Generator<GeneratedConversion> {
  for (let day = span.from; day <= Math.min(span.to, moment.today); day++) yield* conversionsOn(cells, day, moment)
}
