import { insideSentence } from '#shared/fields/heads'
import { listWords } from '#shared/list-words'
import type { Collection } from '#shared/facts/collection'
import { isNeeded } from '#shared/fields/open'
import { fieldAt, valueAt } from '#shared/fields/path'
import type { Json, JsonObject } from '#shared/json'
import { withPatch } from '#shared/merge/merge'
import type { Change, EditTurn, LeftPlace, PlaceEdit, Row, Upon, Work } from '../../replica/api'
import { rebase, sameValue } from '../../replica/rebase'
import { plainLabel } from '../../ui/plain-label'
import type { CellOf } from './cells'
import { headFor, type GridColumn } from './grid-columns'
import { fitsTogether, showMissing, wordsOfMade, type Made } from './inline'
import { frameYieldOf } from './frame-yield'
import type { CampaignsModel } from './model.svelte'
import { changed, gone, ownersAt, readTyped, whyClosed, whyFieldClosed } from './parse-cell'
import { aboutWords, readAll } from './records'

/** An edit of one place, or text to parse. `upon`: what its author saw, or nothing to write whatever is there. */
export type CellEdit = { key: string; upon?: Upon } & (PlaceEdit | { path: string; text: string })

/** Text of a cell in the grid. Empty for a column that isn't in memory. */
export const seenIn = (
  { app }: Pick<CampaignsModel, 'app'>,
  key: string,
  { held, path }: GridColumn,
  cell: CellOf,
): Pick<CellEdit, 'upon'> =>
  held ? { upon: { seq: app.replica.remoteSeq(key), values: { [path]: cell(path) ?? null } } } : {}

export interface Refusal {
  key: string
  path: string
  why: string
  /** The current value, if its author hasn't seen it. */
  now?: Json
}

export interface Written {
  /** Number of changed cells. */
  written: number
  /** Number of changed records. */
  records?: number
  refused: Refusal[]
  /** ID of the undo step, if anything changed. */
  group?: string
  /** Nothing was saved. The error was shown, or passed to `onfailed`. */
  failed?: true
}

interface WriteOptions extends Work {
  /** First word of the step's label. */
  verb?: string
  /** The step's whole label, given what it's about. */
  label?: ((what: string) => string) | undefined
  /** The caller reports the result. */
  quiet?: boolean
  /** Reports why nothing was saved. */
  onfailed?: (why: string) => void
  /** A new record that the edits refer to, created in the same step. */
  made?: Made | undefined
  /** Called once earlier edits are saved. */
  onturn?: () => void
  /** Called once the edits are in memory. */
  onheld?: () => void
}

/**
 * Collects all items, synchronously if that's quick, otherwise in slices.
 * @throws the signal's reason
 */
export function gathered<T>(all: Iterable<T>, signal?: AbortSignal): T[] | Promise<T[]> {
  const found: T[] = []
  const rest = all[Symbol.iterator]()
  const yielder = frameYieldOf(signal)
  const isWhole = (): boolean => {
    for (let next = rest.next(); !next.done; next = rest.next()) {
      found.push(next.value)
      if (yielder.due) return false
    }
    return true
  }
  if (isWhole()) return found
  return (async () => {
    do await yielder.take()
    while (!isWhole())
    return found
  })()
}

/** Changes that edits of cells lead to. */
export interface Plan extends Written {
  changes: Extract<Change, { kind: 'places' }>[]
  /** Changed records, only as many as the label needs. */
  about: Row[]
  heads: ReadonlySet<string>
}

/** Number of records to read at once. */
const batch = 200

/**
 * Writes cells as one undo step, and returns those that were skipped. Edits given as a promise keep the place of the
 * call in the order of edits.
 * @throws the signal's reason, with nothing written
 */
export function writeCells(
  model: CampaignsModel,
  edits: readonly CellEdit[] | Promise<readonly CellEdit[]>,
  options: WriteOptions = {},
): Promise<Written> {
  // `write` reports the error.
  if (edits instanceof Promise) edits.catch(() => undefined)
  const keys = edits instanceof Promise ? [] : [...new Set(edits.map(({ key }) => key))]
  const done = model.app.replica.inTurn(async (turn) => {
    options.onturn?.()
    return write(model, await edits, turn, options)
  })
  model.saving.mark(keys, done)
  return done
}

async function write(
  model: CampaignsModel,
  edits: readonly CellEdit[],
  turn: EditTurn,
  { verb = 'Change', label: labelOf, quiet = false, onfailed, onheld, ...options }: WriteOptions,
): Promise<Written> {
  const { made, signal, onprogress } = options
  // Reading and writing each count for half of the progress.
  let all = 0
  const half = (began: number) => (done: number, of: number) =>
    onprogress?.(Math.floor(((began + done / of) * all) / 2), all)
  const looked = (done: number, of: number): void => half(0)(done, (all = of))
  const {
    changes,
    about: rows,
    heads,
    written,
    refused,
  } = await planWrites(model, edits, { ...options, onprogress: looked })
  if (changes.length === 0) return { written, refused }
  const what = aboutWords(model, rows, changes.length)
  const fields = heads.size > 2 ? `${heads.size} fields` : listWords([...heads])
  const about = `${what}: ${fields}${made ? `, with a ${wordsOfMade(model, made)}` : ''}`
  const [label, text] = [labelOf?.(what) ?? `${verb} ${about}`, `Changed ${plainLabel(about)}`]
  const steps = made ? [made.creation, ...changes] : changes
  const show = !quiet && (changes.length > 1 || made !== undefined)
  const done = await model.app.edit(
    steps,
    { label, turn, onheld },
    { text, show, ...(onfailed && { onfailed }) },
    { signal, onprogress: half(1) },
  )
  if (!done) return { written: 0, refused, failed: true }
  if (made) showMissing(model, made)
  return {
    written: written - done.left.length,
    records: changedRecords(changes, done.left),
    refused: [...refused, ...done.left.map(refusal)],
    group: done.group,
  }
}

/** Number of records of which at least one place changed. */
export function changedRecords(changes: readonly Change[], left: readonly LeftPlace[]): number {
  const skipped = new Map<string, number>()
  for (const { key } of left) skipped.set(key, (skipped.get(key) ?? 0) + 1)
  return changes.filter((one) => one.kind !== 'places' || one.edits.length > (skipped.get(one.key) ?? 0)).length
}

const refusal = ({ key, path, now, gone: isGone }: LeftPlace): Refusal =>
  isGone ? { key, path, why: gone } : { key, path, why: changed, now: now ?? null }

/**
 * Plans the changes for edits, and which edits to skip, without changing anything.
 * @throws the signal's reason
 */
export async function planWrites(
  model: CampaignsModel,
  edits: readonly CellEdit[],
  { made, signal, onprogress }: Work & { made?: Made | undefined } = {},
): Promise<Plan> {
  const { replica } = model.app
  const heads = new Set<string>()
  const plan: Plan = { changes: [], about: [], heads, written: 0, refused: [] }
  const byKey = grouped(edits)
  // In disk order, so that each block is read once.
  const keys = [...byKey.keys()].sort()
  const yielder = frameYieldOf(signal)
  for (let at = 0; at < keys.length; at += batch) {
    signal?.throwIfAborted()
    const piece = keys.slice(at, at + batch)
    const rows = await readAll(replica, piece)
    for (const key of piece) {
      const row = rows.get(key)
      if (row) planRecord(model, row, key, byKey.get(key)!, made, plan, heads)
      else plan.refused.push(...byKey.get(key)!.map(({ path }) => ({ key, path, why: gone })))
    }
    onprogress?.(Math.min(at + batch, keys.length), keys.length)
    if (yielder.due) await yielder.take()
  }
  return plan
}

/** Adds the edits of one record to a plan. Returns it with them and their patch, or undefined if none changes it. */
export function planRecord(
  model: CampaignsModel,
  row: Row,
  key: string,
  asked: readonly CellEdit[],
  made: Made | undefined,
  plan: Plan,
  heads: Set<string>,
): { after: JsonObject; patch: JsonObject } | undefined {
  const { facts } = model.app.replica
  const collection = facts.of(row.collection)
  const record = row.value!
  const edits: PlaceEdit[] = []
  let upon: Upon = {}
  // With the earlier edits, on which later ones may depend.
  let value = record
  const whole: JsonObject = {}
  for (const one of asked) {
    const { path } = one
    const fits = !made || fitsTogether(facts.of(made.creation.collection), value, made.creation.value)
    const read = fits
      ? readEdit(model, collection, one, value, row)
      : { problem: 'Belongs to a different campaign or advertiser' }
    if ('problem' in read) {
      plan.refused.push({ key, path, why: read.problem })
      continue
    }
    const { edit } = read
    const before = valueAt(record, path) ?? null
    const own = one.upon ?? { seq: row.remoteSeq, values: { [path]: before } }
    const isAsSeen = own.values && sameValue(own.values[path], before)
    const now = isAsSeen ? { ...own, values: { [path]: valueAt(value, path) ?? null } } : own
    const { patch, left } = rebase(collection, { edits: [edit], upon: now }, value, row.remoteSeq)
    if (left.length > 0) plan.refused.push({ key, path, why: changed, now: left[0]!.now ?? null })
    if (Object.keys(patch).length === 0) continue
    value = withPatch(value, patch)
    Object.assign(whole, patch)
    heads.add(insideSentence(headFor(collection, path)))
    edits.push(edit)
    upon = together(upon, own)
  }
  if (edits.length === 0) return undefined
  plan.changes.push({ kind: 'places', key, edits, upon })
  plan.written += edits.length
  if (!plan.about.some(({ collection }) => collection === row.collection)) plan.about.push(row)
  return { after: value, patch: whole }
}

/** Values that the author of several edits must have seen in all of them. */
const together = (one: Upon, { seq, record, values }: Upon): Upon => ({
  seq: one.values ? Math.min(one.seq ?? -1, seq ?? -1) : seq,
  ...(record ? { record } : { values: { ...one.values, ...values } }),
})

/** Edits by record. */
export function grouped(edits: readonly CellEdit[]): Map<string, CellEdit[]> {
  const found = new Map<string, CellEdit[]>()
  for (const edit of edits) {
    const own = found.get(edit.key)
    if (own) own.push(edit)
    else found.set(edit.key, [edit])
  }
  return found
}

function readEdit(
  model: CampaignsModel,
  collection: Collection,
  edit: CellEdit,
  record: JsonObject,
  { id, parent }: Row,
): { edit: PlaceEdit } | { problem: string } {
  const { path } = edit
  const isCell = edit.upon !== undefined || 'text' in edit
  // A form has only fields that are open, also in entries that the record doesn't have yet.
  const closed = edit.upon?.record ? undefined : (isCell ? whyClosed : whyFieldClosed)(collection, path, record, id)
  if (closed) return { problem: closed }
  if ('text' in edit) {
    const read = readTyped(model, collection, path, edit.text, parent, {
      current: valueAt(record, path),
      owners: ownersAt(model, collection, path, record),
    })
    return 'problem' in read ? read : { edit: { path, value: read.value } }
  }
  if (!('value' in edit)) return { edit }
  const field = fieldAt(collection, path)
  if (edit.value === null && field && isNeeded(field)) return { problem: 'Can’t be empty' }
  return { edit: { path, value: edit.value } }
}
