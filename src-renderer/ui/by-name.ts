const collator = new Intl.Collator('en', { numeric: true })

/** Orders names the same way on every computer: ignoring case, and with `Team 2` before `Team 10`. */
export const byName = (a: { name: string }, b: { name: string }): number => collator.compare(a.name, b.name)
