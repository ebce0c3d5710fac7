/** Steps that the engine can't handle yet. */
export const notYetSteps = {
  // Records created after clearing a calendar wait for the clear, which isn't repeated without a lookup.
  clearsCalendar: true,
  // A creation that's pending in an older snapshot is looked up before it's sent.
  setsAllBack: false,
  // A lost update of a list between read and write is reported.
  slipsIntoParts: true,
}

/** Known gaps of the engine: matching auditor lines count as unjudged. Any other makes its seed fail. */
const notYet: readonly RegExp[] = [
  // Lost updates of a list of parts are reported.
  /^slipped: .*\(part of /,
]

export const isNotYet = (problem: string): boolean => notYet.some((what) => what.test(problem))
