import type { Json } from '#shared/json'
import type { Service } from '../operation'
import { addSums, newSums, type Sums } from '../reporting/measures'
import type { Span } from '../reporting/days'
import { compareValues } from '../reporting/query'
import type { Column, Subject, Value } from './search-columns'
import { conversionsOf } from './conversions-read'
import { sumsBySubject, subjectKey, subjectsOf } from './subject-sums'
import type { AskedFilter, AskedReport } from './report-request'
import type { SearchTree } from './tree'

/** A row in progress: its subject, and the sums of each date range that columns use. */
interface Draft {
  subject: Subject
  sums: Map<string, Sums>
}

const spanKey = (span: Span | undefined): string => (span ? `${span.from} ${span.to}` : '')
const none = newSums()

/** Rows of a checked request, with values in the order of its columns. */
export function reportRows(service: Service, tree: SearchTree, asked: AskedReport): Value[][] {
  const drafts = grouped(tree, asked, draftsOf(service, tree, asked))
  const valueOf = ({ subject, sums }: Draft, column: Column, span = asked.span): Value => {
    const value = column.value(subject, tree, sums.get(spanKey(span)) ?? none)
    if (typeof value !== 'number') return value
    return Math.round(value * (column.money ? asked.rate : 1) * 1e6) / 1e6
  }
  const kept = drafts.filter((draft) => asked.filters.every((filter) => passes(filter, valueOf(draft, filter.column))))
  if (asked.orderBy.length > 0)
    kept.sort((a, b) => {
      for (const { column, descending } of asked.orderBy) {
        const order = compare(valueOf(a, column), valueOf(b, column))
        if (order !== 0) return descending ? -order : order
      }
      return 0
    })
  return kept.map((draft) => asked.columns.map(({ column, span }) => valueOf(draft, column, span)))
}

function draftsOf(service: Service, tree: SearchTree, asked: AskedReport): Draft[] {
  const { type, scope, span, columns, changedSince } = asked
  if (type === 'conversion') {
    const all = span ?? { from: -Infinity, to: tree.source.moment.today }
    return [...conversionsOf(service, tree, scope, all)].map(({ subject }) => ({ subject, sums: new Map() }))
  }
  if (type === 'trackingActivity') {
    return [...tree.source.tree.activities.values()].flatMap((activity) => {
      const advertiser = tree.advertisers.find(({ id }) => id === String(activity.advertiser?.id))
      if (!advertiser || (scope.advertiser && scope.advertiser !== advertiser)) return []
      return [{ subject: { advertiser, activity }, sums: new Map<string, Sums>() }]
    })
  }
  const used = [
    ...columns.map(({ column }) => column),
    ...asked.filters.map(({ column }) => column),
    ...asked.orderBy.map(({ column }) => column),
  ]
  const segments = [...new Set(used.filter(({ kind }) => kind === 'segment'))]
  const days = segments.filter(({ name }) => !name.startsWith('tracking'))
  const byActivity = days.length < segments.length
  const dayKey =
    days.length === 0
      ? undefined
      : (subject: Subject): string => days.map((column) => String(column.value(subject, tree, none))).join('\u0000')
  const drafts = new Map<string, Draft>()
  const draftAt = (key: string, subject: Subject): Draft => {
    let draft = drafts.get(key)
    if (!draft) drafts.set(key, (draft = { subject, sums: new Map() }))
    return draft
  }
  if (segments.length === 0)
    for (const subject of subjectsOf(tree, scope, type)) draftAt(subjectKey(subject, type), subject)
  const spans = new Map([span, ...columns.map((column) => column.span)].map((one) => [spanKey(one), one]))
  for (const [name, one] of spans) {
    if (!one) continue
    for (const [key, { subject, sums }] of sumsBySubject(tree, scope, type, one, { dayKey, byActivity })) {
      if (sums.some((value) => value !== 0) || segments.length === 0) draftAt(key, subject).sums.set(name, sums)
    }
  }
  const inScope = [...drafts.values()].filter(
    ({ subject }) =>
      (!scope.keyword || subject.keyword === scope.keyword) &&
      (!scope.ad || subject.ad === scope.ad) &&
      (changedSince === undefined || !subject.campaign || changedAt(subject.campaign.object) >= changedSince),
  )
  // Entities in the order of the tree, and each one's days in theirs.
  const order = new Map([...subjectsOf(tree, scope, type)].map((subject, index) => [subjectKey(subject, type), index]))
  const rank = ({ subject }: Draft): number => order.get(subjectKey(subject, type)) ?? -1
  return inScope.sort(
    (a, b) =>
      rank(a) - rank(b) ||
      (segments.length > 0
        ? (a.subject.day ?? 0) - (b.subject.day ?? 0) ||
          compareValues(a.subject.activity?.id ?? '', b.subject.activity?.id ?? '')
        : 0),
  )
}

function changedAt(object: Readonly<Record<string, unknown>>): number {
  const info = object.lastModifiedInfo as { time?: string } | undefined
  return Number(info?.time ?? 0)
}

/** Merges rows with equal values in the grouping columns. */
function grouped(tree: SearchTree, { columns }: AskedReport, drafts: Draft[]): Draft[] {
  const by = columns.filter((column) => column.grouped)
  if (by.length === 0) return drafts
  const groups = new Map<string, Draft>()
  for (const { subject, sums } of drafts) {
    const key = by.map(({ column }) => String(column.value(subject, tree, none))).join('\u0000')
    let group = groups.get(key)
    if (!group) groups.set(key, (group = { subject, sums: new Map() }))
    for (const [span, more] of sums) {
      const total = group.sums.get(span) ?? newSums()
      addSums(total, more)
      group.sums.set(span, total)
    }
  }
  return [...groups.values()]
}

const compare = (a: Value, b: Value): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : compareValues(String(a ?? ''), String(b ?? ''))

function passes({ operator, values }: AskedFilter, value: Value): boolean {
  const order = (wanted: Json | undefined): number =>
    typeof value === 'number' ? value - Number(wanted) : compareValues(String(value ?? ''), String(wanted as string))
  const text = String(value ?? '').toLowerCase()
  const low = (wanted: Json): string => String(wanted as string).toLowerCase()
  switch (operator) {
    case 'equals':
    case 'in':
      return values.some((wanted) => order(wanted) === 0)
    case 'notEquals':
      return values.every((wanted) => order(wanted) !== 0)
    case 'lessThan':
      return order(values[0]) < 0
    case 'lessThanEquals':
      return order(values[0]) <= 0
    case 'greaterThan':
      return order(values[0]) > 0
    case 'greaterThanEquals':
      return order(values[0]) >= 0
    case 'between':
      return order(values[0]) >= 0 && order(values[1]) <= 0
    case 'startsWith':
      return values.some((wanted) => text.startsWith(low(wanted)))
    case 'contains':
    case 'containsElement':
      return values.some((wanted) => text.includes(low(wanted)))
  }
}
