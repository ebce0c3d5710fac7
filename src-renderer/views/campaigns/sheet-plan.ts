import type { Collection } from '#shared/facts/collection'
import type { FieldKind } from '#shared/fields/kind'
import { withDecimalPoint } from '#shared/fields/number-text'
import { listWords } from '#shared/list-words'
import { closedAt, isNeeded } from '#shared/fields/open'
import { fieldAt, patchAt, valueAt } from '#shared/fields/path'
import { whyUncalculated } from '#shared/fields/uncalculated'
import type { Json, JsonObject } from '#shared/json'
import { withPatch } from '#shared/merge/merge'
import { aroundName, namedChanges, type NamedChange } from '../../context/change-words'
import type { Change, Row, Work } from '../../replica/api'
import { rowTexts } from './cell-text'
import { costOfRecord, shownAt } from './computed'
import type { GridColumn } from './grid-columns'
import { exportedCell } from './grid-table'
import type { CampaignsModel } from './model.svelte'
import { ownersAt, readTyped, whyClosed } from './parse-cell'
import { clearWord } from './pasted-heads'
import { problemsOf } from './problems'
import { datesOf, type DateOrder, type SheetHead, type SheetLine } from './sheet-lines'
import { matcherFor, planLine, type LineReader } from './sheet-match'
import { startOf } from './starts'
import { parentIn } from './scope'
import { frameYieldOf } from './frame-yield'
import { planRecord, type Plan } from './writing'

/** A cell, or a whole row, that can't be imported. */
export interface SheetProblem {
  head: string
  text: string
  why: string
}

/** One row of the sheet and what it does. Rows that change nothing are only counted. */
export interface PlannedLine {
  line: number
  title: string
  /** Name of the campaign or advertiser that it belongs to, if the list has several. */
  around?: string
  kind: 'new' | 'changed' | 'same' | 'skipped'
  /** Absent for a row without a record. */
  key?: string
  /** Named when it’s shown, because most rows of a large sheet never are. */
  changes: () => readonly NamedChange[]
  problems: readonly SheetProblem[]
}

export interface SheetPlan {
  counts: { new: number; changed: number; same: number; errors: number }
  /** Rows that change something or have errors, in the order of the sheet. */
  lines: readonly PlannedLine[]
  creations: readonly Change[]
  changes: readonly Change[]
  /** Names of the changed fields. */
  heads: ReadonlySet<string>
  /** Costs of changed and new records before and after, in billionths. */
  cost: { before: bigint; after: bigint }
  /** Headers of the columns by which rows found their record. */
  by: readonly string[]
}

/** Number of records to read at once. */
const batch = 200
/** Maximum number of rows to name. */
const maxNamed = 3

/** Names the other rows of `same`, of which `line` is one. */
function alsoInWords(same: readonly number[], line: number): string {
  const others = same.slice(0, maxNamed + 1).filter((one) => one !== line)
  const named = others.slice(0, maxNamed).map(String)
  const more = same.length - 1 - named.length
  return `Also in ${same.length === 2 ? 'row' : 'rows'} ${listWords(more > 0 ? [...named, `${more.toLocaleString('en')} more`] : named)}`
}

/** Kinds whose text means the same in every row, so that it's looked up once. */
const alike: ReadonlySet<FieldKind | 'computed'> = new Set<FieldKind | 'computed'>([
  ...(['choice', 'choices', 'yesNo', 'reference', 'references', 'size', 'sizes'] as const),
])

/** Unlike `+7d`, it means the same in every row. */
const plainDay = /^\d{4}-\d{2}-\d{2}$/

type Read = { value: Json } | { problem: string }

/** Reads texts of columns, each distinct one once where its meaning doesn't depend on the record. */
class TextReader {
  readonly #known = new Map<string, Read>()

  constructor(
    private readonly model: CampaignsModel,
    private readonly kind: Collection,
  ) {}

  /** @param record the record, as far as it’s known */
  read(
    { path, kind }: GridColumn,
    text: string,
    parent: string | null,
    { record = {}, current }: { record?: JsonObject; current?: Json | undefined } = {},
  ): Read {
    const problem = whyUncalculated(text)
    if (problem !== undefined) return { problem }
    if (!alike.has(kind) && !(kind === 'date' && plainDay.test(text)))
      return readTyped(this.model, this.kind, path, text, parent, { current })
    const owners = ownersAt(this.model, this.kind, path, record)
    const name = JSON.stringify([path, text, owners])
    let read = this.#known.get(name)
    if (!read) this.#known.set(name, (read = readTyped(this.model, this.kind, path, text, parent, { owners })))
    return read
  }
}

/** A row of the sheet with the record it's about. */
interface Found {
  line: SheetLine
  key: string
}

/**
 * Plans what the rows of a sheet change, without changing anything. Empty cells change nothing, and texts that are what
 * an export would write don't either.
 * @throws the signal's reason
 */
export async function planSheet(
  model: CampaignsModel,
  { columns }: Pick<SheetHead, 'columns'>,
  lines: readonly SheetLine[],
  { dates, commas = false }: { dates?: DateOrder | undefined; commas?: boolean },
  { signal, onprogress }: Work = {},
): Promise<SheetPlan> {
  const { kind, app } = model
  const yielder = frameYieldOf(signal)
  const matcher = await matcherFor(model, columns, signal)
  const reader = new TextReader(model, kind)
  const parent = parentIn(kind, model.scope) ?? model.scope.profile
  const written = columns.map((column, at) => {
    const inOrder = column?.kind === 'date' || column?.kind === 'moment' ? datesOf(lines, at, dates) : undefined
    const isNumber = column?.kind === 'number' || column?.kind === 'money'
    return (text: string): string => {
      if (inOrder) return inOrder(text)
      return commas && isNumber ? withDecimalPoint(text) : text
    }
  })
  const editable = columns.flatMap((column, from) => (column && column.kind !== 'computed' ? [{ column, from }] : []))
  // A campaign or advertiser distinguishes records with the same name.
  const isOwner = ({ path }: GridColumn): boolean => kind.cuts.some(({ field }) => field === path)
  const ownersFirst = [...editable].sort((a, b) => Number(isOwner(b.column)) - Number(isOwner(a.column)))
  const textsOf = rowTexts(
    model,
    kind,
    editable.map(({ column }) => column),
  )
  const fixed = editable.flatMap(({ column: { path } }) => (closedAt(kind, path, {}, true) === 'fixed' ? path : []))
  const places = new Map(columns.flatMap((column, at) => (column ? [[column.path, at] as const] : [])))
  const givenAt = ({ cells }: SheetLine, at: number): string => cells[at] ?? ''
  const textAt = (line: SheetLine, at: number): string => written[at]!(givenAt(line, at))
  const readerOf = (line: SheetLine): LineReader => ({
    text: (path) => {
      const at = places.get(path)
      const text = at === undefined ? '' : textAt(line, at).trim()
      // A value to clear names no record.
      return whyUncalculated(text) !== undefined || isClear(text) ? '' : text
    },
    read: (column) => reader.read(column, textAt(line, places.get(column.path)!), parent),
  })

  const plan: Plan = { changes: [], about: [], heads: new Set(), written: 0, refused: [] }
  const heads = plan.heads as Set<string>
  const counts = { new: 0, changed: 0, same: 0, errors: 0 }
  const cost = { before: 0n, after: 0n }
  const planned: PlannedLine[] = []
  const creations: Change[] = []
  const add = (one: PlannedLine): void => {
    if (one.problems.length > 0) counts.errors++
    if (one.kind === 'new') counts.new++
    else if (one.kind === 'changed') counts.changed++
    else if (one.kind === 'same' && one.problems.length === 0) counts.same++
    if (one.kind !== 'same' || one.problems.length > 0) planned.push(one)
  }
  const titleAt = kind.title === undefined ? undefined : places.get(kind.title)
  const refuse = (line: SheetLine, head: string, text: string, why: string): void =>
    add({ line: line.line, title: titleIn(line), kind: 'skipped', changes: none, problems: [{ head, text, why }] })
  const titleIn = (line: SheetLine): string => (titleAt === undefined ? '' : textAt(line, titleAt))

  const found: Found[] = []
  const fresh: SheetLine[] = []
  const linesOf = new Map<string, number[]>()
  for (const line of lines) {
    const match = matcher.find(readerOf(line))
    if ('problem' in match) {
      const wrong = match.column
      refuse(
        line,
        wrong?.head ?? matcher.by[0] ?? '',
        wrong ? givenAt(line, places.get(wrong.path)!) : '',
        match.problem,
      )
    } else if ('isNew' in match) fresh.push(line)
    else {
      found.push({ line, key: match.key })
      const others = linesOf.get(match.key)
      if (others) others.push(line.line)
      else linesOf.set(match.key, [line.line])
    }
    if (yielder.due) await yielder.take()
  }
  const all = lines.length
  // In disk order, so that each block is read once.
  found.sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)))
  for (let from = 0; from < found.length; from += batch) {
    signal?.throwIfAborted()
    const piece = found.slice(from, from + batch)
    const rows = await app.replica.readAll(piece.map(({ key }) => key))
    for (const { line, key } of piece) {
      const row = rows.get(key)
      const same = linesOf.get(key)!
      if (!row?.value) refuse(line, '', '', 'This record no longer exists')
      else if (same.length > 1) refuse(line, '', '', alsoInWords(same, line.line))
      else changeLine(line, row, row.value)
      if (yielder.due) await yielder.take()
    }
    onprogress?.(from + piece.length, all)
  }
  const linesOfNew = new Map<string, number[]>()
  for (const line of fresh) {
    const name = nameOfNew(line)
    const known = name === undefined ? undefined : linesOfNew.get(name)
    if (name !== undefined && !known) linesOfNew.set(name, [line.line])
    else if (known) known.push(line.line)
  }
  for (const [at, line] of fresh.entries()) {
    const same = linesOfNew.get(nameOfNew(line) ?? '') ?? []
    if (same.length > 1) refuse(line, '', '', alsoInWords(same, line.line))
    else createLine(line)
    if (yielder.due) await yielder.take()
    if (at % batch === 0) onprogress?.(found.length + at, all)
  }
  planned.sort((a, b) => a.line - b.line)
  return { counts, lines: planned, creations, changes: plan.changes, heads, cost, by: matcher.by }

  /**
   * What identifies a new record: its plan line, or its name and what never changes, such as its site. Undefined
   * without either, and for the name of a row whose ID says that it's new.
   */
  function nameOfNew(line: SheetLine): string | undefined {
    const { text } = readerOf(line)
    if (text(planLine) !== '') return text(planLine)
    const name = titleIn(line).trim()
    if (name === '' || kind.idFields.some((path) => text(path) !== '')) return undefined
    return ['', name, ...fixed.map(text)].join('\n')
  }

  function changeLine(line: SheetLine, row: Row, record: JsonObject): void {
    const { key } = row
    const shown = (path: string): Json | undefined => shownAt((at) => valueAt(record, at), path)
    const textOf = textsOf(key, shown)
    const problems: SheetProblem[] = []
    const edits = editable.flatMap(({ column, from }, at) => {
      const text = textAt(line, from)
      if (text.trim() === '') return []
      const { path, head } = column
      if (isSameText(column, text, textOf(at))) return []
      const current = shown(path)
      const read = isClear(text) ? { value: null } : reader.read(column, text, row.parent, { record, current })
      const why =
        whyClosed(kind, path, record, row.id) ??
        ('problem' in read ? read.problem : read.value === null ? needed(path) : undefined)
      // A closed field is only a problem if the sheet has another value for it.
      if (why !== undefined) {
        if (!('value' in read) || !sameOrEmpty(current, read.value))
          problems.push({ head, text: givenAt(line, from), why })
        return []
      }
      return 'value' in read ? [{ key, path, value: read.value }] : []
    })
    const refused = plan.refused.length
    const done = planRecord(model, row, key, edits, undefined, plan, heads)
    for (const { path, why } of plan.refused.splice(refused)) problems.push({ head: path, text: '', why })
    const changes = done ? changesIn(record, done.patch) : none
    if (done) count(costOfRecord(record), costOfRecord(done.after))
    const name = model.scope.within === undefined ? aroundName(kind, record, model.namesAround(key)) : undefined
    add({
      ...{ line: line.line, key, title: model.titleOf(row), kind: done ? 'changed' : 'same', changes, problems },
      ...(name !== undefined && { around: name }),
    })
  }

  /** What a patch changes. Keeps only the fields of the record that it has. */
  function changesIn(record: JsonObject, patch: JsonObject): PlannedLine['changes'] {
    const before: JsonObject = {}
    for (const name of Object.keys(patch)) before[name] = record[name]
    return changesBetween(before, patch)
  }

  function changesBetween(before: JsonObject, patch: JsonObject): PlannedLine['changes'] {
    return () => namedChanges(kind, before, patch)
  }

  function createLine(line: SheetLine): void {
    const title = titleIn(line)
    const inner = parentIn(kind, model.scope)
    if (!kind.insert || inner === undefined) {
      const why = kind.insert
        ? `To add ${kind.words.many}, open the list of a single ${kind.parent ? app.replica.facts.of(kind.parent.collection).words.one : 'record'}`
        : `No ${kind.words.one} matches`
      return refuse(line, matcher.by[0] ?? '', title, why)
    }
    const problems: SheetProblem[] = []
    let value: JsonObject = startOf(model)
    if (kind.title !== undefined) delete value[kind.title]
    for (const { column, from: at } of ownersFirst) {
      const text = textAt(line, at)
      if (text.trim() === '' || isClear(text)) continue
      const { path, head } = column
      // What the service fills in comes from a copied row and means nothing for a new one.
      if (closedAt(kind, path, value, false) === 'service') continue
      const read = reader.read(column, text, inner, { record: value })
      if ('problem' in read) problems.push({ head, text: givenAt(line, at), why: read.problem })
      else if (read.value !== null) value = withPatch(value, patchAt(value, path, read.value, kind))
    }
    const judging = { now: app.clock.now, context: model.context, base: null }
    if (problems.length === 0)
      for (const { words } of problemsOf(kind, value, false, judging).slice(0, 3))
        problems.push({ head: '', text: '', why: words })
    if (problems.length > 0) return add({ line: line.line, title, kind: 'skipped', changes: none, problems })
    creations.push({ kind: 'create', collection: kind.name, parent: inner, value })
    count(undefined, costOfRecord(value))
    add({ line: line.line, title, kind: 'new', changes: () => namedChanges(kind, null, value), problems })
  }

  function count(before: string | undefined, after: string | undefined): void {
    cost.before += BigInt(before ?? 0)
    cost.after += BigInt(after ?? 0)
  }
  function needed(path: string): string | undefined {
    const field = fieldAt(kind, path)
    return field && isNeeded(field) ? 'Can’t be empty' : undefined
  }
}

const none = (): [] => []
const isClear = (text: string): boolean => text.trim() === clearWord
const sameOrEmpty = (current: Json | undefined, value: Json): boolean =>
  JSON.stringify(current ?? null) === JSON.stringify(value)

/** True if a text is what an export writes for the current one. */
const isSameText = (column: GridColumn, text: string, now: string): boolean =>
  text === now || text.trim() === String(exportedCell(column, now) ?? '').trim()
