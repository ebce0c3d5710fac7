import { join } from 'node:path'
import { FaultError } from '#shared/fault'
import type { Clock } from '#shared/time/clock'
import { embeddedId } from '../accounts/embedded'
import { readAccounts } from '../accounts/file'
import { Library } from '../reports/library'
import { ReportFolder } from '../reports/report-folder'
import type { Client } from '../services/client'
import type { Common } from './arguments'
import { convertFile, listReports, writeLatest, writeReport } from './report'
import { progressOf, sayList, sayWritten, type Asked, type Speaking } from './run-command-line'

export interface Surroundings extends Speaking {
  userData: string
  clock: Clock
  /** The folder of the fonts of documents. */
  fonts: string
  signal: AbortSignal
  /**
   * Connects to an account's service, and returns how to disconnect. Only called if a service is needed.
   * @throws FaultError
   */
  connect: (
    accountId: string,
    order: Common,
    tell: (words: string) => void,
  ) => Promise<{ client: Client; close: () => Promise<void> }>
}

/**
 * Runs the command and reports the outcome.
 * @throws FaultError
 */
export async function carryOut(order: Asked, about: Surroundings): Promise<void> {
  const { clock, fonts, signal, userData } = about
  const tell = progressOf(order, about)
  if (order.what === 'file') return sayWritten(await convertFile(order, { clock, fonts, signal, tell }), order, about)
  const accountId = await accountNamed(order.account, userData, clock)
  const folder = await ReportFolder.open(userData)
  const library = new Library(folder.usual, folder)
  const parts = { accountId, library, clock, fonts, signal, tell }
  if (order.what === 'report' && order.latest) return sayWritten(await writeLatest(order, parts), order, about)
  const { client, close } = await about.connect(accountId, order, tell).catch((error: unknown) => {
    // Ctrl+C also stops the starting service, whose error isn't the reason then.
    throw signal.aborted ? new FaultError({ code: 'aborted', message: 'Stopped.' }) : error
  })
  try {
    if (order.what === 'list') sayList(await listReports({ ...parts, client }), order.json, about)
    else sayWritten(await writeReport(order, { ...parts, client, signal: until(order.timeout, signal) }), order, about)
  } finally {
    await close()
  }
}

/**
 * The account with this name in the app.
 * @throws FaultError `invalid` if there is none, or several
 */
async function accountNamed(name: string, userData: string, clock: Clock): Promise<string> {
  const wanted = name.trim().toLowerCase()
  if (wanted === embeddedId) return embeddedId
  const { records } = await readAccounts(join(userData, 'accounts.json'), clock.now)
  const byId = records.find(({ id }) => id === wanted)
  if (byId) return byId.id
  const named = records.filter(({ label, email }) => [label, email].some((one) => one.trim().toLowerCase() === wanted))
  if (named.length === 1) return named[0]!.id
  const list = (records: readonly { label: string; id: string }[]): string =>
    records.map(({ label, id }) => `${label} (${id})`).join(', ')
  throw new FaultError({
    code: 'invalid',
    message:
      named.length > 1
        ? `Several accounts are named “${name}”. Use an ID instead: ${list(named)}.`
        : `Unknown account “${name}”. Available: ${list([{ label: 'Sample data', id: embeddedId }, ...records.filter(({ id }) => id !== embeddedId)])}.`,
  })
}

const until = (minutes: number, signal: AbortSignal): AbortSignal => {
  const control = new AbortController()
  const stop = (): void => control.abort()
  signal.addEventListener('abort', stop, { once: true })
  setTimeout(stop, Math.min(minutes * 60_000, 2 ** 31 - 1)).unref()
  return control.signal
}
