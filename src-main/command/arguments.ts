import { parseArgs } from 'node:util'
import { exportFormats, type ExportFormat } from '#shared/reports/export-formats'
import type { Shape } from '../tables/shape'

export const usage = `Usage: npm run -s report -- WHAT [options]
  --list             reports: name, type, range, newest file on this computer
  --report NAME|ID   run it, fetch its file, write it to --out
  --file PATH        write the file of a report in another form, without a network
  --out PATH         ${exportFormats.map((format) => `.${format}`).join(' ')}
  --account NAME     whose reports; sandbox where none is named
  --latest           the newest file that is kept here, in place of a new run
  --filter COLUMN=VALUE   only such rows; may be said several times
  --group COLUMN,COLUMN   figures for each of these; rates are worked out anew
  --sort COLUMN[:desc]    may be said several times
  --dialect plain|spreadsheet|raw   of .csv and .tsv; raw is what the service wrote
  --replace          overwrite --out
  --timeout MINUTES  of a run; 60 where nothing is said
  --user-data DIR    where Flightplan keeps everything
  --json  --quiet  --help  --version
stdout: path, rows, bytes. stderr: progress. Exit: 0 done, 2 usage, 1 anything else.`

/** A mistake on the command line, in a sentence. */
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
  /** A sandbox that runs elsewhere on this computer, in place of the embedded one. */
  serviceUrl?: string
  json: boolean
  quiet: boolean
}

export type Order =
  | { what: 'help' }
  | { what: 'version' }
  | ({ what: 'list' } & Common)
  | ({ what: 'report'; report: string; latest: boolean; timeout: number; output: Output } & Common)
  | ({ what: 'file'; file: string; output: Output } & Common)

/** What the command line asks for. @throws UsageError */
export function readArguments(argv: readonly string[]): Order {
  const values = parsed(argv)
  const text = (name: keyof typeof values): string | undefined => values[name] as string | undefined
  if (values.help) return { what: 'help' }
  if (values.version) return { what: 'version' }
  const asked = (['list', 'report', 'file'] as const).filter((name) => values[name] !== undefined)
  if (asked.length === 0) throw new UsageError('Say what is wanted: --list, --report or --file.')
  if (asked.length > 1) throw new UsageError(`Only one of --${asked.join(', --')} can be wanted at once.`)
  const common: Common = {
    account: text('account') ?? 'sandbox',
    json: values.json === true,
    quiet: values.quiet === true,
    ...(text('user-data') !== undefined && { userData: text('user-data')! }),
    ...(text('service-url') !== undefined && { serviceUrl: text('service-url')! }),
  }
  const what = asked[0]!
  if (what === 'list') {
    const extra = (['out', 'latest', 'filter', 'group', 'sort', 'dialect', 'replace', 'timeout'] as const).find(
      (name) => values[name] !== undefined,
    )
    if (extra) throw new UsageError(`--${extra} has no meaning with --list.`)
    return { what, ...common }
  }
  const output = readOutput(values)
  if (what === 'file') {
    const extra = (['latest', 'timeout', 'account'] as const).find((name) => values[name] !== undefined)
    if (extra) throw new UsageError(`--${extra} has no meaning with --file.`)
    return { what, ...common, file: named('file', text('file')), output }
  }
  const timeout = Number(text('timeout') ?? 60)
  if (!(timeout > 0)) throw new UsageError(`--timeout is minutes, above 0: ${text('timeout')}`)
  return { what, ...common, report: named('report', text('report')), latest: values.latest === true, timeout, output }
}

function parsed(argv: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        list: { type: 'boolean' },
        report: { type: 'string' },
        file: { type: 'string' },
        out: { type: 'string' },
        account: { type: 'string' },
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
    return values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

const named = (name: string, value: string | undefined): string => {
  if (value === undefined || value.trim() === '') throw new UsageError(`--${name} needs a name.`)
  return value
}

function readOutput(values: ReturnType<typeof parsed>): Output {
  const out = values.out
  if (out === undefined || out === '') throw new UsageError('Say where to write: --out PATH.')
  const extension = /\.([a-z]+)$/i.exec(out)?.[1]?.toLowerCase()
  const format = exportFormats.find((one) => one === extension)
  if (!format) throw new UsageError(`--out has to end with ${exportFormats.map((one) => `.${one}`).join(', ')}: ${out}`)
  const dialect = values.dialect ?? 'plain'
  if (dialect !== 'plain' && dialect !== 'spreadsheet' && dialect !== 'raw')
    throw new UsageError(`--dialect is plain, spreadsheet or raw: ${dialect}`)
  if (values.dialect !== undefined && format !== 'csv' && format !== 'tsv')
    throw new UsageError('--dialect is for .csv and .tsv.')
  const shape: Shape = {
    filters: filtersOf(values.filter ?? []),
    group: (values.group ?? '').split(',').filter((name) => name.trim() !== ''),
    sort: (values.sort ?? []).map((text) => ({
      column: text.replace(/:(asc|desc)$/i, ''),
      descending: /:desc$/i.test(text),
    })),
  }
  if (dialect === 'raw' && (shape.filters.length > 0 || shape.group.length > 0 || shape.sort.length > 0))
    throw new UsageError('--dialect raw is what the service wrote; it cannot be filtered, grouped or sorted.')
  return { out, format, dialect, replace: values.replace === true, shape }
}

/** Several values of one column are wanted as well as each other. */
function filtersOf(said: readonly string[]): Shape['filters'] {
  const texts = new Map<string, { column: string; texts: string[] }>()
  for (const text of said) {
    const at = text.indexOf('=')
    if (at <= 0) throw new UsageError(`--filter is COLUMN=VALUE: ${text}`)
    const column = text.slice(0, at).trim()
    const found = texts.get(column.toLowerCase()) ?? { column, texts: [] }
    texts.set(column.toLowerCase(), found)
    found.texts.push(text.slice(at + 1))
  }
  return [...texts.values()].map(({ column, texts }) => ({ column, condition: { how: 'is', texts } }))
}
