import { execFileSync } from 'node:child_process'

// Options of the test commands. Each function removes its option from the arguments. The rest goes to vitest.

/** Returns true if a flag was given. */
export function takeFlag(args, name) {
  const at = args.indexOf(name)
  if (at === -1) return false
  args.splice(at, 1)
  return true
}

/**
 * The whole number of an option such as `--draw 7` or `--draw=7`. Undefined if the option is missing. Exits if the
 * value isn't a number.
 */
export function takeNumber(args, name) {
  const at = args.findIndex((arg) => arg === name || arg.startsWith(`${name}=`))
  if (at === -1) return undefined
  const joined = args[at] !== name
  const text = joined ? args[at].slice(name.length + 1) : (args[at + 1] ?? '')
  args.splice(at, joined ? 1 : 2)
  if (/^\d{1,10}$/.test(text)) return Number(text)
  console.error(`${name}: enter a whole number: ${text}`)
  process.exit(2)
}

/** A random seed. */
export const freshSeed = () => Math.floor(Math.random() * 1_000_000_000)

/** A seed of the commit in `folder`, so that its samples are the same on every machine. Random without a repository. */
export function commitSeed(folder) {
  try {
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: folder, encoding: 'utf8', stdio: 'pipe' })
    return Number.parseInt(commit.slice(0, 7), 16)
  } catch {
    return freshSeed()
  }
}
