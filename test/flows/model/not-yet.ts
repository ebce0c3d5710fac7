/** What the engine does not do yet: such lines of the auditor are counted as unjudged. Switch one off and its seeds fail. */
const notYet: readonly (readonly [on: boolean, what: RegExp])[] = [
  // A delete looks at what lies below it just before it is sent.
  [true, /^overwritten: .* reached /],
  // The deletion of an occurrence asks when someone else changed that occurrence in the meantime.
  [true, /^overwritten: .*\(calendar\.events\.delete, heard after/],
  // A creation asks when a record that may be its own has another name by now.
  [true, /^doubled: .* changed by others/],
]

export const isNotYet = (problem: string): boolean => notYet.some(([on, what]) => on && what.test(problem))
