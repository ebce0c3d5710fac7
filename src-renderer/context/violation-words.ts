import { insideSentence } from '#shared/fields/heads'
import { eitherWords, listWords } from '#shared/list-words'
import type { Violation } from '#shared/wire/validate'

/**
 * Describes a violation with the headings of the fields instead of their names on the wire.
 * @param headOf heading of a path, such as `pricingSchedule.startDate` or `sizes.0.width`
 */
export function violationWords(
  { path, rule, message, others = [] }: Violation,
  headOf: (path: string) => string,
): string {
  if (path === '') return message
  const [head = '', ...more] = [path, ...others].map((one) => `“${headOf(one.replace(/\[(\d+)\]/g, '.$1'))}”`)
  switch (rule) {
    case 'required':
    case 'oneOfRequired':
      return `${eitherWords([head, ...more])} is missing`
    case 'exclusive':
      return `${head} can’t be combined with ${listWords(more)}`
    case 'format':
    case 'pattern':
      return `${head} has an invalid value`
    default:
      return message.startsWith(`${path} `) ? head + message.slice(path.length) : `${head}: ${insideSentence(message)}`
  }
}
