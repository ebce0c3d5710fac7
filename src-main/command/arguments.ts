import { parseArgs } from 'node:util'
import { dayOf, dayText, isRelativeRange, relativeRanges, type RelativeRange } from '#shared/facts/report-ranges'
import { starters } from '#shared/facts/report-starters'
import { exportFormats, type ExportFormat } from '#shared/reports/export-formats'
import type { Shape } from '../tables/shape'

export const usage = `Usage: npm run -s report -- WHAT [options]     installed: flightplan WHAT [options]
  --list             list reports: name, type, date range, newest file on this computer
  --report NAME|ID   run a report and save its results to --out
  --template NAME    run a report from a built-in template
  --file PATH        convert a report file, offline
  --out PATH         ${exportFormats.map((format) => `.${format}`).join(' ')}
  --account NAME     account name as shown in the app (default: sandbox)
  --from DAY --to DAY     override the dates (YYYY-MM-DD); saved as a separate report
  --range NAME       override the dates by name: last-30-days, previous-month
  --latest           use the latest downloaded file instead of running the report
  --filter COLUMN=VALUE   keep only matching rows; repeatable
  --group COLUMN,COLUMN   group rows; rates are recalculated
  --sort COLUMN[:desc]    sort rows; repeatable
  --dialect plain|spreadsheet|raw   for .csv and .tsv; raw is the file from the service
  --replace          overwrite the file at --out
  --timeout MINUTES  how long to wait for a run (default: 60)
  --user-data DIR    folder of Flightplan's data
  --json  --quiet  --help  --version
Without WHAT, flightplan opens the app:
  --safe-mode        without its last view, unsaved forms, layout, and subscriptions
  --start-hidden     in the tray
  --quick-add        with quick add in front
stdout: path, rows, bytes. stderr: progress. Exit code: 0 success, 2 usage error, 1 any other error.`

/** A mistake on the command line. The message is for users. */
export class UsageError extends Error {}

export interface Output {
  out: string
  format: ExportFormat
  dialect: 'plain' | 'spreadsheet' | 'raw'
  replace: boolean
  shape: Shape
}

export interface Common {
  account: string
  userData?: string
  /** A sandbox already running on this computer, to use instead of the embedded one. */
  serviceUrl?: string
  json: boolean
  quiet: boolean
}

/** Date range of a report, in the service's terms. */
export type Days = { relativeDateRange: RelativeRange } | { startDate: string; endDate: string }

/** A report of the account by name or ID, or a template by ID. */
export type Wanted = ({ report: string } | { starter: string }) & { days?: Days }

export type Order =
  | { what: 'help' }
  | { what: 'version' }
  | ({ what: 'list' } & Common)
  | ({ what: 'report'; latest: boolean; timeout: number; output: Output } & Wanted & Common)
  | ({ what: 'file'; file: string; output: Output } & Common)

/** Parses the command line. @throws UsageError */
export function readArguments(argv: readonly string[]): Order {
  const values = parsed(argv)
  const text = (name: keyof typeof values): string | undefined => values[name] as string | undefined
  if (values.help) return { what: 'help' }
  if (values.version) return { what: 'version' }
  const asked = (['list', 'report', 'template', 'starter', 'file'] as const).filter(
    (name) => values[name] !== undefined,
  )
  if (asked.length === 0) throw new UsageError('Specify --list, --report, --template, or --file.')
  if (asked.length > 1) throw new UsageError(`Use only one of --${asked.join(', --')}.`)
  const common: Common = {
    account: text('account') ?? 'sandbox',
    json: values.json === true,
    quiet: values.quiet === true,
    ...(text('user-data') !== undefined && { userData: text('user-data')! }),
    ...(text('service-url') !== undefined && { serviceUrl: text('service-url')! }),
  }
  const what = asked[0]!
  if (what === 'list') {
    const extra = ([...ofRuns, 'out', 'filter', 'group', 'sort', 'dialect', 'replace'] as const).find(
      (name) => values[name] !== undefined,
    )
    if (extra) throw new UsageError(`--${extra} can’t be used with --list.`)
    return { what, ...common }
  }
  const output = readOutput(values)
  if (what === 'file') {
    const extra = ([...ofRuns, 'account'] as const).find((name) => values[name] !== undefined)
    if (extra) throw new UsageError(`--${extra} can’t be used with --file.`)
    return { what, ...common, file: named('file', text('file')), output }
  }
  const timeout = Number(text('timeout') ?? 60)
  if (!(timeout > 0)) throw new UsageError(`--timeout must be a number of minutes above 0: ${text('timeout')}`)
  const latest = values.latest === true
  const days = daysOf(values)
  const extra = what === 'report' ? days && 'from, --to, and --range' : what
  if (latest && extra) throw new UsageError(`--${extra} can’t be used with --latest.`)
  const wanted =
    what === 'report' ? { report: named('report', text('report')) } : { starter: starterId(text(what) ?? '') }
  return { what: 'report', ...common, ...wanted, ...(days && { days }), latest, timeout, output }
}

/** Options that only apply to runs. */
const ofRuns = ['latest', 'timeout', 'from', 'to', 'range'] as const

function starterId(name: string): string {
  const wanted = name.trim().toLowerCase()
  const found = starters.find(({ id, name, formerName }) =>
    [id, name, formerName].some((one) => one?.toLowerCase() === wanted),
  )
  if (found) return found.id
  throw new UsageError(`Unknown template “${name}”. Available: ${starters.map((one) => one.name).join(' · ')}`)
}

function daysOf({
  from,
  to,
  range,
}: {
  from?: string | undefined
  to?: string | undefined
  range?: string | undefined
}): Days | undefined {
  if (range !== undefined) {
    if (from !== undefined || to !== undefined) throw new UsageError('Use either --range, or --from and --to.')
    const relativeDateRange = range
      .trim()
      .toUpperCase()
      .replace(/[\s-]+/g, '_')
    if (isRelativeRange(relativeDateRange)) return { relativeDateRange }
    const known = Object.keys(relativeRanges).map((name) => name.toLowerCase().replaceAll('_', '-'))
    throw new UsageError(`--range must be one of ${known.join(', ')}: ${range}`)
  }
  if (from === undefined && to === undefined) return undefined
  if (from === undefined || to === undefined) throw new UsageError('Use --from and --to together.')
  for (const day of [from, to])
    if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(dayOf(day)) || dayText(dayOf(day)) !== day)
      throw new UsageError(`Invalid date “${day}”. Use YYYY-MM-DD.`)
  if (from > to) throw new UsageError(`--from is after --to: ${from}, ${to}`)
  return { startDate: from, endDate: to }
}

function parsed(argv: readonly string[]) {
  try {
    const { values, tokens } = parseArgs({
      args: [...argv],
      tokens: true,
      options: {
        list: { type: 'boolean' },
        report: { type: 'string' },
        file: { type: 'string' },
        out: { type: 'string' },
        account: { type: 'string' },
        template: { type: 'string' },
        // The name in older versions.
        starter: { type: 'string' },
        from: { type: 'string' },
        to: { type: 'string' },
        range: { type: 'string' },
        latest: { type: 'boolean' },
        filter: { type: 'string', multiple: true },
        group: { type: 'string' },
        sort: { type: 'string', multiple: true },
        dialect: { type: 'string' },
        replace: { type: 'boolean' },
        timeout: { type: 'string' },
        'user-data': { type: 'string' },
        'service-url': { type: 'string' },
        json: { type: 'boolean' },
        quiet: { type: 'boolean' },
        help: { type: 'boolean' },
        version: { type: 'boolean' },
      },
    })
    const names = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []))
    const twice = names.find((name, at) => typeof values[name as never] === 'string' && names.indexOf(name) < at)
    if (twice) throw new UsageError(`Use --${twice} only once.`)
    return values
  } catch (error) {
    // Remove Node's advice for programmers.
    throw new UsageError((error instanceof Error ? error.message : String(error)).replace(/\. This command .*/s, ''))
  }
}

const named = (name: string, value: string | undefined): string => {
  if (value === undefined || value.trim() === '') throw new UsageError(`--${name} requires a name.`)
  return value
}

function readOutput(values: ReturnType<typeof parsed>): Output {
  const out = values.out
  if (out === undefined || out === '') throw new UsageError('Missing --out PATH.')
  const extension = /\.([a-z]+)$/i.exec(out)?.[1]?.toLowerCase()
  const format = exportFormats.find((one) => one === extension)
  if (!format) throw new UsageError(`--out must end with ${exportFormats.map((one) => `.${one}`).join(', ')}: ${out}`)
  const dialect = values.dialect ?? 'plain'
  if (dialect !== 'plain' && dialect !== 'spreadsheet' && dialect !== 'raw')
    throw new UsageError(`--dialect must be plain, spreadsheet, or raw: ${dialect}`)
  if (values.dialect !== undefined && format !== 'csv' && format !== 'tsv')
    throw new UsageError('--dialect works only with .csv and .tsv.')
  const shape: Shape = {
    filters: filtersOf(values.filter ?? []),
    group: groupOf(values.group ?? ''),
    sort: (values.sort ?? []).map((text) => ({
      column: text.replace(/:(asc|desc)$/i, ''),
      descending: /:desc$/i.test(text),
    })),
  }
  if (dialect === 'raw' && (shape.filters.length > 0 || shape.group.length > 0 || shape.sort.length > 0))
    throw new UsageError('--dialect raw saves the file from the service, so it can’t be filtered, grouped, or sorted.')
  return { out, format, dialect, replace: values.replace === true, shape }
}

/** Each column once. */
function groupOf(said: string): string[] {
  const columns = new Map<string, string>()
  for (const name of said.split(',')) {
    const key = name.trim().toLowerCase()
    if (key !== '' && !columns.has(key)) columns.set(key, name)
  }
  return [...columns.values()]
}

/** Several values of one column are alternatives. */
function filtersOf(said: readonly string[]): Shape['filters'] {
  const texts = new Map<string, { column: string; texts: string[] }>()
  for (const text of said) {
    const at = text.indexOf('=')
    if (at <= 0) throw new UsageError(`--filter must be COLUMN=VALUE: ${text}`)
    const column = text.slice(0, at).trim()
    const found = texts.get(column.toLowerCase()) ?? { column, texts: [] }
    texts.set(column.toLowerCase(), found)
    found.texts.push(text.slice(at + 1))
  }
  return [...texts.values()].map(({ column, texts }) => ({ column, condition: { how: 'is', texts } }))
}
