import { listWords } from '#shared/list-words'
import type { Collection } from '#shared/facts/collection'
import { isNeeded } from '#shared/fields/open'
import { fieldAt, patchAt, valueAt } from '#shared/fields/path'
import type { Json, JsonObject } from '#shared/json'
import { systemClock } from '#shared/time/clock'
import { insideSentence } from '../../context/record-words'
import type { Change, Row, Work } from '../../replica/api'
import { FrameYield } from '../../replica/tables/frame-yield'
import type { CellOf } from './cells'
import { headFor, type GridColumn } from './grid-columns'
import { fitsTogether, showMissing, wordsOfMade, type Made } from './inline'
import { sameValue } from './changed-since-seen'
import type { CampaignsModel } from './model.svelte'
import { changed, gone, readTyped, whyClosed } from './parse-cell'
import { aboutWords, readAll } from './records'
import { adoptWritten, WaitingEdits, type WrittenValues } from './waiting-edits'

/** An edit of one cell: a value, or text to parse. */
export interface CellEdit {
  key: string
  path: string
  value?: Json
  text?: string
  /** The value its author saw. If it changed since, the edit is skipped. */
  seen?: Json
}

/** The value the grid shows in a cell, as its author saw it. Empty for a column that isn't in memory. */
export const seenIn = ({ held, path }: GridColumn, cell: CellOf): Pick<CellEdit, 'seen'> =>
  held ? { seen: cell(path) ?? null } : {}

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
  refused: Refusal[]
  /** ID of the undo step, if anything changed. */
  group?: string
  /** Nothing was saved. The error was shown, or passed to `onfailed`. */
  failed?: true
}

interface WriteOptions extends Work {
  /** First word of the step's label. */
  verb?: string
  /** The caller reports the result. */
  quiet?: boolean
  /** Reports why nothing was saved. */
  onfailed?: (why: string) => void
  /** A new record that the edits refer to, created in the same step. */
  made?: Made | undefined
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
  changes: Extract<Change, { kind: 'change' }>[]
  /** Changed records, only as many as the label needs. */
  about: Row[]
  heads: ReadonlySet<string>
  values: WrittenValues
}

/** Number of records to read at once. */
const batch = 200
export const frameYieldOf = (signal?: AbortSignal): FrameYield =>
  new FrameYield({ elapsed: systemClock.elapsed, setTimer: (run, after) => setTimeout(run, after) }, signal)

/**
 * Writes cells as one undo step, and returns those that were skipped. Edits given as a promise keep the place of the
 * call in the queue.
 * @throws the signal's reason, with nothing written
 */
export async function writeCells(
  model: CampaignsModel,
  edits: readonly CellEdit[] | Promise<readonly CellEdit[]>,
  options: WriteOptions = {},
): Promise<Written> {
  const waiting = new WaitingEdits(model, edits)
  const keys = edits instanceof Promise ? [] : [...new Set(edits.map(({ key }) => key))]
  try {
    return await model.inTurn(keys, async (held) => write(model, await waiting.begin(), { ...options, held }))
  } finally {
    waiting.end()
  }
}

async function write(
  model: CampaignsModel,
  edits: readonly CellEdit[],
  { verb = 'Change', quiet = false, onfailed, held, ...options }: WriteOptions & { held: () => void },
): Promise<Written> {
  const { made, signal, onprogress } = options
  // Reading and writing each count for half of the progress.
  let all = 0
  const half = (began: number) => (done: number, of: number) =>
    onprogress?.(Math.floor(((began + done / of) * all) / 2), all)
  const looked = (done: number, of: number): void => half(0)(done, (all = of))
  const { changes, about, heads, values, written, refused } = await planWrites(model, edits, {
    ...options,
    onprogress: looked,
  })
  if (changes.length === 0) return { written, refused }
  const what = aboutWords(model, about, changes.length)
  const fields = heads.size > 2 ? `${heads.size} fields` : listWords([...heads])
  const label = `${verb} ${what}: ${fields}${made ? `, with a ${wordsOfMade(model, made)}` : ''}`
  const steps = made ? [made.creation, ...changes] : changes
  const show = !quiet && (changes.length > 1 || made !== undefined)
  // From then on, the next edits begin, and these values count as seen by them.
  const onheld = (): void => {
    adoptWritten(model, values)
    held()
  }
  const done = await model.app.edit(
    steps,
    { label, onheld },
    { show, ...(onfailed && { onfailed }) },
    { signal, onprogress: half(1) },
  )
  if (!done) return { written: 0, refused, failed: true }
  if (made) showMissing(model, made)
  const unwritten = await leftOut(model, values, done.left)
  for (const key of done.left) values.delete(key)
  adoptWritten(model, values)
  return { written: written - unwritten.length, refused: [...refused, ...unwritten], group: done.group }
}

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
  const values: WrittenValues = new Map()
  const plan: Plan = { changes: [], about: [], heads, values, written: 0, refused: [] }
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
      if (!row) {
        plan.refused.push(...byKey.get(key)!.map(({ path }) => ({ key, path, why: gone })))
        continue
      }
      const collection = replica.facts.of(row.collection)
      let value = row.value!
      const patch: JsonObject = {}
      const written = new Map<string, Json>()
      for (const edit of byKey.get(key)!) {
        const fits = !made || fitsTogether(replica.facts.of(made.creation.collection), value, made.creation.value)
        const read = fits
          ? readEdit(model, collection, edit, value, row)
          : { problem: 'Belongs to a different campaign or advertiser' }
        if ('problem' in read) {
          plan.refused.push({ key, path: edit.path, why: read.problem })
          continue
        }
        const now = valueAt(value, edit.path)
        if (sameValue(now, read.value)) continue
        if (edit.seen !== undefined && !sameValue(now, edit.seen)) {
          plan.refused.push({ key, path: edit.path, why: changed, now: now ?? null })
          continue
        }
        const part = patchAt(value, edit.path, read.value, collection)
        value = { ...value, ...part }
        Object.assign(patch, part)
        heads.add(insideSentence(headFor(collection, edit.path)))
        written.set(edit.path, read.value)
      }
      if (Object.keys(patch).length === 0) continue
      const expects = Object.fromEntries(Object.keys(patch).map((name) => [name, row.value![name] ?? null]))
      plan.changes.push({ kind: 'change', key, patch, expects })
      plan.written += written.size
      values.set(key, written)
      if (plan.about.length === 0) plan.about.push(row)
    }
    onprogress?.(Math.min(at + batch, keys.length), keys.length)
    if (yielder.due) await yielder.take()
  }
  return plan
}

/** Edits that were skipped because their record changed between planning and writing. */
async function leftOut({ app }: CampaignsModel, values: WrittenValues, keys: readonly string[]): Promise<Refusal[]> {
  if (keys.length === 0) return []
  // Report the skipped edit even if the current value can't be read.
  const rows = await readAll(app.replica, keys).catch(() => undefined)
  return keys.flatMap((key) => {
    if (!rows) return [...values.get(key)!.keys()].map((path) => ({ key, path, why: changed }))
    const record = rows.get(key)?.value
    return [...values.get(key)!.keys()].map((path) =>
      record ? { key, path, why: changed, now: valueAt(record, path) ?? null } : { key, path, why: gone },
    )
  })
}

function grouped(edits: readonly CellEdit[]): Map<string, CellEdit[]> {
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
  { path, value, text }: CellEdit,
  record: JsonObject,
  { id, parent }: Row,
): { value: Json } | { problem: string } {
  const closed = whyClosed(collection, path, record, id)
  if (closed) return { problem: closed }
  if (text !== undefined) return readTyped(model, collection, path, text, parent, valueAt(record, path))
  const field = fieldAt(collection, path)
  if ((value ?? null) === null && field && isNeeded(field)) return { problem: 'Can’t be empty' }
  return { value: value ?? null }
}
