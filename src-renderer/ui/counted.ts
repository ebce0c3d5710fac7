const rules = new Intl.PluralRules('en')

/** `1 week`, `2 weeks`. For the noun without the number, see `nounFor`. */
export const counted = (count: number, noun: string, many?: string): string =>
  `${count.toLocaleString('en')} ${nounFor(count, noun, many)}`

/** `week` for 1, `weeks` for any other number. */
export const nounFor = (count: number, noun: string, many = `${noun}s`): string =>
  rules.select(count) === 'one' ? noun : many
