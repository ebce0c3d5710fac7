import type { Collection } from '#shared/facts/collection'
import { isNeeded } from '#shared/fields/open'
import { fieldAt, patchAt, valueAt } from '#shared/fields/path'
import type { Json, JsonObject } from '#shared/json'
import { systemClock } from '#shared/time/clock'
import { insideSentence } from '../../context/record-words'
import type { Change, Row } from '../../replica/api'
import { Breath } from '../../replica/tables/breath'
import { headFor } from './columns'
import { fitsTogether, tellMade, wordsOfMade, type Made } from './inline'
import { sameValue } from './meanwhile'
import type { CampaignsModel } from './model.svelte'
import { gone, readTyped, whyClosed } from './reading'
import { aboutWords, readAll } from './records'

/** What is to stand in one place of one record: a value, or a text to be read there. */
export interface CellEdit {
  key: string
  path: string
  value?: Json
  text?: string
  /** What its author saw there: where something else stands by now, it stays. */
  seen?: Json
}

export interface Refusal {
  key: string
  path: string
  why: string
  /** What stands there, where its author has not seen it. */
  now?: Json
}

export interface Written {
  /** Cells that say something else now. */
  written: number
  refused: Refusal[]
  /** None of it could be saved, which was told. */
  failed?: true
}

/** Of long work: how much of it is done, and that nobody wants it any more. */
export interface Work {
  signal?: AbortSignal | undefined
  onprogress?: ((done: number, of: number) => void) | undefined
}

interface WriteOptions extends Work {
  /** Begins the words of the step. */
  verb?: string
  /** A record that the edits refer to, made in the same step. */
  made?: Made | undefined
}

/** What edits of cells come to. */
export interface Plan extends Written {
  changes: Extract<Change, { kind: 'change' }>[]
  /** Records that change, as they are, no more than are needed to name them. */
  about: Row[]
  heads: ReadonlySet<string>
}

/** Records that are looked at in one go. */
const batch = 200
export const breathOf = (signal?: AbortSignal): Breath =>
  new Breath({ elapsed: systemClock.elapsed, setTimer: (run, after) => setTimeout(run, after) }, signal)

/**
 * Writes into cells, as one step of undo; what cannot be written is answered and stays as it is. @throws what the signal
 * says, and then nothing was written
 */
export const writeCells = (
  model: CampaignsModel,
  edits: readonly CellEdit[],
  options: WriteOptions = {},
): Promise<Written> => model.inTurn(() => write(model, edits, options))

async function write(
  model: CampaignsModel,
  edits: readonly CellEdit[],
  { verb = 'Change', ...options }: WriteOptions,
): Promise<Written> {
  const { made } = options
  const { changes, about, heads, written, refused } = await planWrites(model, edits, options)
  if (changes.length === 0) return { written, refused }
  const what = aboutWords(model, about, changes.length)
  const fields = heads.size > 2 ? `${heads.size} fields` : [...heads].join(' and ')
  const label = `${verb} ${what}: ${fields}${made ? `, with a ${wordsOfMade(model, made)}` : ''}`
  const all = made ? [made.creation, ...changes] : changes
  const done = await model.app.edit(all, { label }, { show: changes.length > 1 || made !== undefined })
  if (!done) return { written: 0, refused, failed: true }
  if (made) tellMade(model, made)
  return { written, refused }
}

/** What edits would change, and what of them cannot be, without changing anything. @throws what the signal says */
export async function planWrites(
  model: CampaignsModel,
  edits: readonly CellEdit[],
  { made, signal, onprogress }: Work & { made?: Made | undefined } = {},
): Promise<Plan> {
  const { replica } = model.app
  const heads = new Set<string>()
  const plan: Plan = { changes: [], about: [], heads, written: 0, refused: [] }
  const byKey = grouped(edits)
  const keys = [...byKey.keys()]
  const breath = breathOf(signal)
  for (let at = 0; at < keys.length; at += batch) {
    signal?.throwIfAborted()
    const rows = await readAll(replica, keys.slice(at, at + batch))
    for (const key of keys.slice(at, at + batch)) {
      const row = rows.get(key)
      if (!row) {
        plan.refused.push(...byKey.get(key)!.map(({ path }) => ({ key, path, why: gone })))
        continue
      }
      const collection = replica.facts.of(row.collection)
      let value = row.value!
      const patch: JsonObject = {}
      for (const edit of byKey.get(key)!) {
        const fits = !made || fitsTogether(replica.facts.of(made.creation.collection), value, made.creation.value)
        const read = fits
          ? readEdit(model, collection, edit, value, row)
          : { problem: 'This belongs to something else' }
        if ('problem' in read) {
          plan.refused.push({ key, path: edit.path, why: read.problem })
          continue
        }
        const now = valueAt(value, edit.path)
        if (sameValue(now, read.value)) continue
        if (edit.seen !== undefined && !sameValue(now, edit.seen)) {
          plan.refused.push({ key, path: edit.path, why: 'This changed in the meantime', now: now ?? null })
          continue
        }
        const part = patchAt(value, edit.path, read.value, collection)
        value = { ...value, ...part }
        Object.assign(patch, part)
        heads.add(insideSentence(headFor(collection, edit.path)))
        plan.written += 1
      }
      if (Object.keys(patch).length === 0) continue
      plan.changes.push({ kind: 'change', key, patch })
      if (plan.about.length === 0) plan.about.push(row)
    }
    onprogress?.(Math.min(at + batch, keys.length), keys.length)
    if (breath.due) await breath.take()
  }
  return plan
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
  if ((value ?? null) === null && field && isNeeded(field)) return { problem: 'This may not be empty' }
  return { value: value ?? null }
}
