const format = new Intl.ListFormat('en', { style: 'long', type: 'conjunction' })
const either = new Intl.ListFormat('en', { style: 'long', type: 'disjunction' })

/** `Monday`, `Monday and Tuesday`, `Monday, Tuesday, and Friday`. Empty without names. */
export const listWords = (names: readonly string[]): string => format.format(names)

/** `Monday`, `Monday or Tuesday`, `Monday, Tuesday, or Friday`. Empty without names. */
export const eitherWords = (names: readonly string[]): string => either.format(names)

/** The first few names, for a message. */
export function firstNames(names: readonly string[]): string[] {
  const few = 3
  return names.length <= few ? [...names] : [...names.slice(0, few), `${names.length - few} more`]
}
