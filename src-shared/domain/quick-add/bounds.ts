import { oneDay } from './days'
import { ask, type Placed } from './items'
import { pointAt } from './times'
import type { Line } from './line'

/** `until Dec 31`, `bis Ende März`, `5 times`, `starting Monday`. @throws Question */
export function boundAt(line: Line, at: number, today: number): Placed | null {
  return countAt(line, at) ?? untilAt(line, at, today)
}

function countAt(line: Line, at: number): Placed | null {
  const number = line.number(line.past(at, 'for'))
  if (!number) return null
  const times = line.skip(number.to, 'times') ?? (line.low(number.to) === 'x' ? number.to + 1 : null)
  if (times === null) return null
  const per = line.skip(times, 'per')
  const unit = line.find(per ?? times, 'unit')
  if (per !== null && unit)
    return { from: at, to: unit.to, item: ask(`“${line.said(at, unit.to)}” needs days. Enter “every Mon and Thu”`) }
  if (number.value < 1 || number.value > 730)
    return {
      from: at,
      to: times,
      item: ask(`“${line.said(at, times)}” isn’t possible. Enter 1 to 730 occurrences, such as “10 times”`),
    }
  return { from: at, to: times, item: { is: 'count', count: number.value } }
}

function untilAt(line: Line, at: number, today: number): Placed | null {
  const until = line.skip(at, 'until')
  if (until === null) return null
  const day = oneDay(line, line.past(until, 'on', 'the'), today) ?? oneDay(line, until, today)
  if (day) return { from: at, to: day.to, item: { is: 'until', days: day.value } }
  const time = pointAt(line, until, true)
  if (time)
    return {
      from: at,
      to: time.to,
      item: ask(`“${line.said(at, time.to)}” needs a start. Enter both times, such as 9:00-17:00`),
    }
  const month = line.find(line.past(until, 'the'), 'month')
  if (month) {
    const said = line.said(until, month.to)
    return {
      from: at,
      to: month.to,
      item: ask(
        `Couldn’t understand “${line.said(at, month.to)}”. Enter the last day, such as “until 1 ${said}” or “until end of ${said}”`,
        `${line.said(at, until)} end of ${said}`,
        `${line.said(at, until)} 1 ${said}`,
      ),
    }
  }
  return null
}
