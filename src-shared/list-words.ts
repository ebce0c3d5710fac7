const format = new Intl.ListFormat('en', { style: 'long', type: 'conjunction' })

/** `Monday`, `Monday and Tuesday`, `Monday, Tuesday, and Friday`. Empty without names. */
export const listWords = (names: readonly string[]): string => format.format(names)
