import { createReadStream } from 'node:fs'
import { lstat, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { FaultError, asSentence, faultOf } from '#shared/fault'
import { currentText } from '#shared/former-words'
import { isOver } from '#shared/reports/runs'
import type { Clock } from '#shared/time/clock'
import { clearLeftParts } from '../exports/left-parts'
import { saveFile } from '../exports/save-file'
import { readReportFile } from '../report-data/read-file'
import { inTurns } from '../report-data/steps'
import { totalsOf } from '../report-data/totals'
import { readingOf } from '../reports/assemble'
import { definitionsOf, rangeOf, rangeText, unreadWords, type Definition } from '../reports/definitions'
import { readFileFacts } from '../reports/file-facts'
import { missingFolder } from '../reports/export-rules-files'
import { Library, type DamagedRun } from '../reports/library'
import type { RunRecord } from '../reports/run-record'
import { waitFor } from '../reports/poll-interval'
import { isLockedElsewhere } from '../reports/run-lock'
import { runToEnd, type RunProgress } from '../reports/runner'
import { SearchDefinitions, type SearchDefinition } from '../reports/search-definitions'
import { traffickingRun, traffickingRuns } from '../reports/trafficking-runs'
import type { Client } from '../services/client'
import { exportOf } from '../tables/as-export'
import { shaped } from '../tables/shape'
import { UsageError, type Order, type Output } from './arguments'
import { wantedReport } from './wanted-report'

export interface CommandParts {
  accountId: string
  library: Library
  clock: Clock
  /** The folder of the fonts of documents. */
  fonts: string
  signal: AbortSignal
  /** Reports progress. */
  tell: (words: string) => void
}
type ServiceParts = CommandParts & { client: Client }
type ReportOrder = Extract<Order, { what: 'report' }>

export interface ListedReport {
  id: string
  name: string
  type: string
  range: string
  /** The newest file on this computer. */
  newest?: { path: string; rows: number; bytes: number; finished: string }
}

export interface Listing {
  reports: ListedReport[]
  /** A sentence for each unreadable run. */
  notes: string[]
}

/** Reports of the account, with the newest file of each on this computer. @throws FaultError */
export async function listReports({ client, accountId, library, clock, signal }: ServiceParts): Promise<Listing> {
  const notes: string[] = []
  const definitions = await definitionsOf(client, (profile) => void notes.push(unreadWords(profile)), signal)
  await library.need().catch((error: unknown) => void notes.push(faultOf(error).message))
  notes.push(...damagedWords(await library.damaged(accountId)))
  const files = await library.newestByReport(accountId)
  const reports = definitions.map(({ report }): ListedReport => ({
    id: report.id!,
    name: report.name ?? '',
    type: report.type ?? '',
    range: rangeOf(report),
    ...newestOf(files.get(report.id!), library),
  }))
  const searches = (await searchReports(accountId, library, clock)).map(({ id, name, request }): ListedReport => ({
    id,
    name,
    type: String(request['reportType'] ?? ''),
    range: rangeText(request['timeRange']),
    ...newestOf(files.get(id), library),
  }))
  return { reports: [...reports, ...searches], notes }
}

function newestOf(run: RunRecord | undefined, library: Library): Pick<ListedReport, 'newest'> {
  if (!run) return {}
  const { rows = 0, bytes = 0, asked, finished = asked } = run
  return { newest: { path: library.fileOf(run), rows, bytes, finished: new Date(finished).toISOString() } }
}

/**
 * Search reports, which are only stored on this computer.
 * @throws FaultError `storage`
 */
const searchReports = (accountId: string, library: Library, clock: Clock): Promise<SearchDefinition[]> =>
  new SearchDefinitions(library, clock.now).list(accountId)

export interface Written {
  path: string
  rows: number
  bytes: number
  notes: string[]
}

/** Runs a report and writes its file. @throws FaultError */
export async function writeReport(order: ReportOrder, parts: ServiceParts): Promise<Written> {
  await refuseTaken(order.output)
  const definition = await wantedReport(order, parts)
  return writeRun(order.output, await runOf(definition, parts), parts)
}

/**
 * Writes the newest stored result of a report, without a service.
 * @throws FaultError
 */
export async function writeLatest(order: ReportOrder, parts: CommandParts): Promise<Written> {
  await refuseTaken(order.output)
  const run = await latestOf('report' in order ? order.report : '', parts)
  const written = await writeRun(order.output, run, parts)
  // A damaged run may have been newer.
  return { ...written, notes: [...written.notes, ...damagedWords(await parts.library.damaged(parts.accountId))] }
}

async function writeRun(output: Output, run: RunRecord, parts: CommandParts): Promise<Written> {
  if (run.state !== 'kept') throw new FaultError({ code: 'invalid', message: `${run.name}: ${currentText(run.words)}` })
  await parts.library.checkFile(run)
  parts.tell('Writing')
  const written = await write(output, { run, path: parts.library.fileOf(run) }, parts)
  return { ...written, notes: [...(run.totalsAgree === false ? [doubted] : []), ...written.notes] }
}

const doubted = 'Rows don’t match the report totals.'

/**
 * Converts any result file.
 * @throws FaultError
 */
export async function convertFile(
  { file, output }: Extract<Order, { what: 'file' }>,
  parts: Pick<CommandParts, 'clock' | 'fonts' | 'signal' | 'tell'>,
): Promise<Written> {
  await refuseTaken(output)
  const found = await stat(file).catch(() => undefined)
  if (!found) throw new FaultError({ code: 'storage', message: `File not found: ${file}.` })
  // Only regular files can be read more than once.
  if (!found.isFile()) throw new FaultError({ code: 'storage', message: `${file} isn’t a regular file.` })
  parts.tell('Reading')
  return write(output, { path: file }, parts)
}

async function write(
  { out, format, dialect, replace, shape }: Output,
  { run, path }: { run?: RunRecord; path: string },
  { clock, fonts, signal, tell }: Pick<CommandParts, 'clock' | 'fonts' | 'signal' | 'tell'>,
): Promise<Written> {
  // Temporary files of a killed command.
  await clearLeftParts(dirname(out))
  const table = await readReportFile(path, { ...(run && readingOf(run)), signal })
  // Notes of a known run were already reported.
  const notes = !run && totalsOf(table)?.some(({ agrees }) => !agrees) ? [doubted] : []
  if (dialect === 'raw') {
    if (run && run.format !== format) {
      const message = `The service’s file is a .${run.format} file. Use that extension with --dialect raw.`
      throw new FaultError({ code: 'invalid', message })
    }
    const bytes = await copied(path, out, { signal, replace })
    return { path: out, rows: table.length, bytes, notes }
  }
  const view = await inTurns(shaped(table, shape), signal).catch((error: unknown) => {
    throw faultOf(error).code === 'invalid' ? new UsageError(faultOf(error).message) : error
  })
  const asked = exportOf(table, view, shape, { path, ...run })
  let said = 0
  const onrows = (rows: number): void => {
    if (rows - said < 20_000) return
    said = rows
    tell(`Writing: ${rows.toLocaleString('en')} of ${asked.length.toLocaleString('en')} rows`)
  }
  // Load the libraries only when something is written.
  const { exportTable } = await import('../exports/export-file')
  const written = await exportTable(out, asked, { format, dialect, fonts, now: clock.now(), signal, onrows, replace })
  return { ...written, notes: [...notes, ...written.notes] }
}

/** Copies a file completely or not at all. Replaces an existing file only if that was requested. */
async function copied(
  from: string,
  to: string,
  { signal, replace }: { signal: AbortSignal; replace: boolean },
): Promise<number> {
  const { saveNew } = await import('../exports/export-file')
  return (replace ? saveFile : saveNew)(to, createReadStream(from) as AsyncIterable<Buffer>, signal)
}

/** Checks the output path before a report that may take an hour. */
async function refuseTaken({ out, replace }: Output): Promise<void> {
  const folder = dirname(out)
  const missing = await missingFolder(folder)
  if (missing !== undefined) throw new FaultError({ code: 'storage', message: missing })
  // A broken link also occupies the name.
  const found = (await stat(out).catch(() => undefined)) ?? (await lstat(out).catch(() => undefined))
  if (!found) return
  if (found.isDirectory()) throw new FaultError({ code: 'storage', message: `${out} is a folder.` })
  if (!replace)
    throw new FaultError({ code: 'storage', message: `${out} already exists. Use --replace to overwrite it.` })
}

/** A sentence for each run whose record can't be read. */
const damagedWords = (damaged: readonly DamagedRun[]): string[] =>
  damaged.map(({ path, newer }) =>
    newer
      ? `A newer version of Flightplan saved the run at ${path}. Use that version to read it.`
      : `Couldn’t read the run saved at ${path}.`,
  )

/** Runs know their reports. Search reports may have been renamed since. */
async function latestOf(name: string, { accountId, library, clock }: CommandParts): Promise<RunRecord> {
  await library.need()
  const wanted = name.trim().toLowerCase()
  const kept = [...(await library.newestByReport(accountId)).values()]
  const names = new Map((await searchReports(accountId, library, clock)).map((one) => [one.id, one.name]))
  const nameOf = ({ service, reportId = '', name }: RunRecord): string =>
    (service === 'search' ? names.get(reportId) : undefined) ?? name
  const byName = kept.filter((run) => nameOf(run).trim().toLowerCase() === wanted)
  const own = kept.find(({ reportId }) => reportId === name.trim()) ?? (byName.length === 1 ? byName[0] : undefined)
  if (own) return own
  const several = byName.map(({ reportId }) => reportId).join(', ')
  const others = kept.length > 0 ? ` Downloaded: ${kept.map(nameOf).join(' · ')}` : ''
  const damaged = damagedWords(await library.damaged(accountId))
  const message =
    byName.length > 1
      ? `Several reports are named “${name}”. Use an ID instead: ${several}.`
      : damaged.length > 0
        ? [`Couldn’t read any downloaded results of “${name}”.`, ...damaged].join(' ')
        : `No results of “${name}” have been downloaded yet.${others}`
  throw new FaultError({ code: 'invalid', message })
}

async function runOf({ report, profileId }: Definition, parts: ServiceParts): Promise<RunRecord> {
  const { accountId, library, client, clock, signal, tell } = parts
  // Resumes an interrupted run.
  const left = (await library.runs(accountId)).find(
    (run) => run.reportId === report.id && !isOver(run.state) && run.state !== 'held',
  )
  const run: RunRecord = left ?? {
    version: 1,
    id: Library.newId(clock.now()),
    accountId,
    state: 'waiting',
    words: 'Queued',
    asked: clock.now(),
    fragments: [],
    ...traffickingRun(report, profileId),
  }
  if (left) tell('Resuming the earlier run')
  if (!left) await library.keep(run)
  for (;;) {
    try {
      return await runToEnd(run, {
        library,
        service: traffickingRuns(client),
        readFacts: readFileFacts,
        clock,
        random: Math.random,
        wait: waitFor,
        signal,
        patience: 4,
        onprogress: (progress) => tell(wordsOf(progress)),
        asKept: true,
      })
    } catch (error) {
      if (!isLockedElsewhere(faultOf(error))) throw error
      tell(`${faultOf(error).message} Waiting…`)
      await waitFor(1_000, signal)
    }
  }
}

function wordsOf({ run, done, of, wait }: RunProgress): string {
  if (done !== undefined) {
    const bytes = (count: number): string => `${Math.ceil(count / 1024).toLocaleString('en')} KB`
    return `Downloading: ${bytes(done)}${of === undefined ? '' : ` of ${bytes(of)}`}`
  }
  if (wait?.fault) return `${asSentence(wait.fault.message)} Trying again in ${Math.ceil(wait.ms / 1000)} s`
  return run.words
}
