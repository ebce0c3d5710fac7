import { resolve } from 'node:path'
import { faultOf } from '#shared/fault'
import { storageFault } from '#shared/storage-words'
import { usage, UsageError, readArguments, type Common, type Order } from './arguments'
import type { Listing, Written } from './report'

/** Output of a command: results, and progress. */
export interface Speaking {
  out: (text: string) => void
  err: (text: string) => void
  /**
   * Called after all output.
   * @throws FaultError `storage` if `out` couldn't write everything, such as on a full disk
   */
  ended?: () => Promise<void>
  /** Version of the program. */
  version: string
}

/** Writes to a process's streams. A closed pipe (`| head -1`) ends the output. */
export function speakingTo(
  { stdout, stderr }: Pick<NodeJS.Process, 'stdout' | 'stderr'>,
  version: string,
): Required<Speaking> {
  let trouble: unknown
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') trouble = error
  })
  // No one is left to notify.
  stderr.on('error', () => undefined)
  return {
    out: (text) => void stdout.write(`${text}\n`),
    err: (text) => void stderr.write(`${text}\n`),
    ended: async () => {
      await new Promise((resolve) => setImmediate(resolve))
      if (trouble !== undefined) throw storageFault(trouble, 'Couldn’t write the output.')
    },
    version,
  }
}

export type Asked = Exclude<Order, { what: 'help' | 'version' }>

/**
 * Runs a command line.
 * @returns the exit code: 0 for success, 2 for wrong usage, 1 for anything else
 */
export async function runCommandLine(
  argv: readonly string[],
  { out, err, ended, version }: Speaking,
  work: (order: Asked) => Promise<void>,
): Promise<number> {
  let order: Order
  try {
    order = readArguments(argv)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    if (argv.includes('--json')) out(JSON.stringify({ error: { code: 'usage', message: error.message } }))
    err(`${error.message}\n--help lists the options.`)
    return 2
  }
  if (order.what === 'help') out(usage)
  else if (order.what === 'version') out(version)
  else {
    try {
      await work(order)
      await ended?.()
    } catch (error) {
      const { code, message } = faultOf(error)
      const cancelled = 'Stopped. Progress is saved. Run the same command to resume.'
      const words = code === 'aborted' ? cancelled : inLine(message)
      // Only the file shows whether it has the columns of the command line.
      const isUsage = error instanceof UsageError
      // With --json, errors are JSON, too.
      if (order.json) out(JSON.stringify({ error: { code: isUsage ? 'usage' : code, message: words } }))
      err(words)
      return isUsage ? 2 : 1
    }
  }
  return 0
}

/** User input without characters that would end a line or column, or move the cursor. */
const inLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')

/** Reports each thing once. */
export function progressOf({ quiet }: Pick<Common, 'quiet'>, { err }: Pick<Speaking, 'err'>): (words: string) => void {
  let last = ''
  return (words) => {
    if (quiet || words === last) return
    last = words
    err(inLine(words))
  }
}

export function sayList({ reports, notes }: Listing, json: boolean, { out, err }: Pick<Speaking, 'out' | 'err'>): void {
  for (const note of notes) err(inLine(note))
  if (json) return out(JSON.stringify({ reports, ...(notes.length > 0 && { notes }) }))
  if (reports.length === 0) return out('This account has no reports.')
  for (const { id, name, type, range, newest } of reports)
    out(
      [
        id,
        name,
        type,
        range,
        newest
          ? `${newest.rows} ${newest.rows === 1 ? 'row' : 'rows'}, ${newest.finished}`
          : 'no file on this computer',
      ]
        .map(inLine)
        .join('\t'),
    )
}

export function sayWritten(
  { path, rows, bytes, notes }: Written,
  { json, quiet }: Pick<Common, 'json' | 'quiet'>,
  { out, err }: Pick<Speaking, 'out' | 'err'>,
): void {
  if (json) return out(JSON.stringify({ path: resolve(path), rows, bytes, ...(notes.length > 0 && { notes }) }))
  if (!quiet) for (const note of notes) err(note)
  out(`${resolve(path)}\t${rows}\t${bytes}`)
}
