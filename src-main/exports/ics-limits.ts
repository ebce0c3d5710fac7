/** Maximum number of events in a file. More are a mistake or an attack, so they're only counted and reported. */
export const maxEvents = 50_000
/** Maximum text lengths, in characters. Calendar services allow fewer. */
export const maxText = { summary: 10_000, description: 100_000, location: 10_000 } as const
const maxLines = 20_000
const maxDepth = 4
const maxParts = 500
const maxObservances = 400
const maxObservanceRules = 20

/** @throws RangeError if a component is too large to parse */
export function checkSize(lines: readonly string[]): void {
  if (lines.length > maxLines) throw new RangeError(`it has more than ${maxLines.toLocaleString('en')} lines`)
  let [depth, parts] = [0, 0]
  for (const line of lines) {
    if (/^BEGIN:/i.test(line)) {
      parts++
      depth++
    } else if (/^END:/i.test(line)) depth--
    if (depth > maxDepth) throw new RangeError(`its components are nested more than ${maxDepth} levels deep`)
    if (parts > maxParts) throw new RangeError(`it has more than ${maxParts} parts`)
  }
}

/**
 * Rejects a VTIMEZONE with too many changes, or with rules that no clock follows. Clocks change a few times a year.
 * @throws RangeError
 */
export function checkZone(lines: readonly string[]): void {
  const observances = lines.filter((line) => /^BEGIN:(?:STANDARD|DAYLIGHT)/i.test(line)).length
  if (observances > maxObservances) throw new RangeError(`it has too many clock changes (${observances})`)
  const rules = lines.filter((line) => /^RRULE[;:]/i.test(line))
  if (rules.length > maxObservanceRules) throw new RangeError(`it has too many rules (${rules.length})`)
  for (const rule of rules) {
    const parts = rule.slice(rule.indexOf(':') + 1).split(';')
    const value = (name: string): string => parts.find((part) => part.toUpperCase().startsWith(`${name}=`)) ?? ''
    const changes = value('BYMONTH').split(',').length * value('BYDAY').split(',').length
    if (
      !/^FREQ=YEARLY$/i.test(value('FREQ')) ||
      changes > 12 ||
      parts.some((part) => /^BY(?:HOUR|MINUTE|SECOND)=/i.test(part))
    )
      throw new RangeError('its clock changes follow an invalid rule')
  }
  const dates = lines.filter((line) => /^RDATE[;:]/i.test(line)).reduce((sum, line) => sum + line.split(',').length, 0)
  if (dates > maxObservances) throw new RangeError(`it has too many clock changes (${dates})`)
}
