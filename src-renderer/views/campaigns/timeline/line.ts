import type { Finding, Severity } from '#shared/checks/rule'
import { parseRecordKey } from '#shared/domain/collections'
import type { Json } from '#shared/json'
import type { RecordWordContext } from '../../../context/record-words'
import type { MarkName } from '../../../ui/marks'
import { cellWriter } from '../cells'
import { wasAt, type DraftMark } from '../draft-marks'
import { severities } from '../findings.svelte'
import type { CampaignsModel } from '../model.svelte'
import { whyClosed } from '../parse-cell'
import { barOf, phaseOfBar, type Bar, type Phase } from './bars'

/** A row in the timeline. */
export interface Line {
  key: string
  title: string
  /** Name of the record that it belongs to, where the list mixes several. */
  around: string | undefined
  mark: MarkName
  drafted: DraftMark['kind'] | undefined
  archived: boolean
  inactive: boolean
  /** Undefined if it lacks a date. */
  bar: Bar | undefined
  phase: Phase | undefined
  /** `Wed 10 Jun – Fri 31 Jul`, as far as there are dates. */
  dates: string
  /** Where the flight is on the service, if pending changes moved it. */
  was: Bar | undefined
  wasWords: string | undefined
  /** Findings of checks, and the worst severity for the record and for its dates. */
  findings: readonly Finding[]
  severity: Severity | undefined
  flightSeverity: Severity | undefined
  /** Tooltip of the name. */
  hint: string
  campaign: string | undefined
  /** Why its flight can't be moved. */
  closed: string | undefined
}

/** Reads lines of the list that is shown now. Looks up what they have in common once. */
export function lineReader(
  model: CampaignsModel,
): (at: number, key: string, context: RecordWordContext, now: number) => Line | null {
  const { kind, app, scope, around: order } = model
  const { flight, title } = kind
  const { replica } = app
  if (!flight) return () => null
  const paths = [flight.start, flight.end]
  const writers = paths.map((path) => cellWriter(replica.facts, kind, path))
  const inside =
    scope.within === undefined ? -1 : order.findIndex(({ name }) => name === parseRecordKey(scope.within!).collection)
  /** The narrowest record that contains those of the list, if the list isn't limited to one. */
  const cut = kind.cuts
    .flatMap(({ by, field }) =>
      field === undefined ? [] : [{ by, field, depth: order.findIndex(({ name }) => name === by) }],
    )
    .filter(({ depth }) => depth > inside)
    .sort((a, b) => b.depth - a.depth)[0]
  const campaignField = kind.cuts.find(({ by }) => by === order.at(-1)?.name)?.field

  return (at, key, context, now) => {
    const { rows } = model
    if (!rows) return null
    const cell = model.cell(at)
    const draft = model.marks.get(key)
    const own = [...(model.findings.of(key)?.values() ?? [])]
    const bar = barOf(flight, cell, context.zone)
    const before = (path: string): Json | undefined => {
      const was = wasAt(draft, path)
      return was ? was.before : cell(path)
    }
    const isMoved = paths.some((path) => wasAt(draft, path) !== undefined)
    const worst = (all: readonly Finding[]): Severity | undefined =>
      severities.find((severity) => all.some(({ rule }) => rule.severity === severity))
    const name = title === undefined ? undefined : cell(title)
    const { id } = parseRecordKey(key)
    const parent = cut && cell(cut.field)
    const around = cut && typeof parent === 'string' ? context.nameOf?.(cut.by, parent) : undefined
    const campaign = campaignField === undefined ? undefined : cell(campaignField)
    const text = typeof name === 'string' && name !== '' ? name : `#${id}`
    return {
      key,
      title: text,
      around,
      mark: model.markOf(rows.mark(at), key),
      drafted: draft?.kind,
      archived: cell('archived') === true,
      inactive: cell('active') === false,
      bar,
      phase: bar && phaseOfBar(bar, now),
      dates: wordsOf(cell, writers, context),
      was: isMoved ? barOf(flight, before, context.zone) : undefined,
      wasWords: isMoved ? wordsOf(before, writers, context) : undefined,
      findings: own,
      severity: worst(own),
      flightSeverity: worst(own.filter(({ path }) => paths.includes(path))),
      hint: around === undefined ? text : `${text}\n${around}`,
      campaign: typeof campaign === 'string' ? campaign : undefined,
      closed: kind.writable
        ? paths.map((path) => whyClosed(kind, path, undefined, id)).find((why) => why !== undefined)
        : 'Read-only',
    }
  }
}

function wordsOf(
  cell: (path: string) => Json | undefined,
  writers: readonly ReturnType<typeof cellWriter>[],
  context: RecordWordContext,
): string {
  const [start = '', end = ''] = writers.map((writer) => writer(cell, context))
  if (start === '' && end === '') return ''
  return `${start || 'no start'} – ${end || 'no end'}`
}
