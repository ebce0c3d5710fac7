import { Question } from './items'
import { offsets, type Reading } from './parsed-line'

/**
 * Asks whether “Move standup Thu to Fri” names a range or an old and a new day.
 * @throws Question
 */
export function askWhereTo({ line, placed }: Reading): void {
  for (const range of placed) {
    const { item, from, to } = range
    const isRange = item.is === 'time' ? (item.end ?? item.days) : item.is === 'days' && item.days.last
    if (!isRange) continue
    const joint = line.tokens.findIndex(({ low }, at) => low === 'to' && at > from && at < to)
    const hasVerb = line.tokens.some((_, at) => {
      const end = line.skip(at, 'moves')
      // "Office move Sat to Sun", "Shift 9 to 5"
      if (end === null || end > from || (end === from && line.low(at) === 'shift')) return false
      return at === 0 || /^(to|please|pls)$/.test(line.low(at - 1))
    })
    if (joint < 0 || !hasVerb) continue
    const first = line.said(line.past(from, 'from', 'between'), joint)
    const last = line.said(line.past(joint + 1, 'on', 'at'), to)
    const both = `${first} - ${last}`
    throw new Question(
      `“${line.said(from, to)}” could be a move or a range. Enter the new ${item.is === 'time' ? 'time' : 'day'}, or “${both}”`,
      ...offsets(line, range),
      [`${item.is === 'time' && !item.days ? 'at' : 'on'} ${last}`, both],
    )
  }
}
