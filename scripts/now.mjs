// `--now MOMENT` of commands that hand it on to programs they start (FLIGHTPLAN_NOW).

/** @returns {{ now: string | undefined, rest: string[] }} the moment, and the other arguments. Ends the command where the moment is none. */
export function takeNow(args) {
  const at = args.findIndex((argument) => argument === '--now' || argument.startsWith('--now='))
  if (at === -1) return { now: undefined, rest: args }
  const joined = args[at].startsWith('--now=')
  const now = joined ? args[at].slice('--now='.length) : (args[at + 1] ?? '')
  if (!/^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(now) || Number.isNaN(Date.parse(now))) {
    console.error(`--now: a date, a time and its offset from UTC are wanted, as in 2026-06-10T08:00:00+02:00: ${now}`)
    process.exit(2)
  }
  return { now, rest: [...args.slice(0, at), ...args.slice(at + (joined ? 1 : 2))] }
}
