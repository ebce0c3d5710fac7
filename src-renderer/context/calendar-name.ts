import type { Row } from '../replica/api'

/** The name someone gave a calendar, its owner's name for it, or its ID. */
export function calendarName({ id, value }: Pick<Row, 'id' | 'value'>): string {
  const name = [value?.['summaryOverride'], value?.['summary']].find((one) => typeof one === 'string' && one !== '')
  return name === undefined ? id : (name as string)
}
