const collator = new Intl.Collator('en', { numeric: true })

/** Order of names, the same on every computer: small and capital letters together, `Team 2` before `Team 10`. */
export const byName = (a: { name: string }, b: { name: string }): number => collator.compare(a.name, b.name)
