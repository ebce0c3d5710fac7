import { insideSentence } from '#shared/fields/heads'
import type { Collection } from '#shared/facts/collection'
import { faultOf } from '#shared/fault'
import type { Json } from '#shared/json'
import { type RecordWordContext } from '../../context/record-words'
import type { PlaceEdit, Upon, Work } from '../../replica/api'
import { longWork } from './bulk'
import { cellWords } from './cells'
import { showFailedEdit, unsaved, type FailedEdit } from './failed-edits'
import { headFor } from './grid-columns'
import type { Made } from './inline'
import type { CampaignsModel } from './model.svelte'
import { writeCells, type Refusal, type Written } from './writing'

/** A place in records: a cell, a field of a form, or the cells of selected rows. */
export interface Place {
  facts: Collection
  path: string
  /** Keys of the records. With several, one edit applies to all of them. */
  keys: readonly string[]
  /** Title of the first record. */
  title: string
}

/** Value that someone typed or chose for a place. */
export interface PlaceInput {
  place: Place
  edits: ReadonlyMap<string, PlaceEdit>
  /** Records as the author saw them, by key. */
  upon: Map<string, Upon>
  /** Text as typed. Absent for a choice. */
  text?: string | undefined
  /** A new record that the value refers to. */
  made?: Made | undefined
}

/**
 * Saves an edit of a place, which is shown at once. Shows a failure with its text, and retries on request.
 * @param onheld called when memory has it
 * @param again keys of the records to write
 */
export async function savePlaces(
  model: CampaignsModel,
  input: PlaceInput,
  onheld?: () => void,
  again: readonly string[] = input.place.keys,
): Promise<void> {
  const { edits, upon, made } = input
  model.work.pass()
  const writes = again.map((key) => ({ key, edit: edits.get(key)!, upon: upon.get(key) }))
  const hide = model.saving.show(writes)
  let why = unsaved
  const write = (work: Work = {}): Promise<Written> =>
    writeCells(
      model,
      writes.map(({ key, edit, upon }) => ({ key, ...edit, ...(upon && { upon }) })),
      {
        ...work,
        made,
        onfailed: (said) => (why = said),
        onheld: () => {
          onheld?.()
          hide()
        },
      },
    ).catch((error: unknown): Written => {
      if (work.signal?.aborted) throw error
      why = faultOf(error).message
      return { written: 0, refused: [], failed: true }
    })
  const isLong = writes.length > 1
  const stepOf = ({ written, group }: Written): string | undefined => (written > 0 ? group : undefined)
  const done = await (isLong ? longWork(model, 'Saving', write, stepOf) : write()).finally(hide)
  // It was stopped.
  if (!done) return
  const { refused, failed = false } = done
  const wrong = new Set(failed ? again : refused.map(({ key }) => key))
  if (wrong.size > 0) tellUnsaved(model, input, failed ? [] : refused, [...wrong], why, onheld)
}

function tellUnsaved(
  model: CampaignsModel,
  input: PlaceInput,
  refused: readonly Refusal[],
  wrong: readonly string[],
  failure: string,
  onheld?: () => void,
): void {
  const { place, upon, edits } = input
  const changed = refused.filter(({ now, key }) => now !== undefined && 'value' in edits.get(key)!)
  // Without a sequence, because the record may have changed again by now.
  for (const { key, now } of changed) upon.set(key, { values: { [place.path]: now! } })
  const [first] = refused
  const why = first?.now === undefined ? (first?.why ?? failure) : changedWords(model, place, refused)
  const retry = refused.length === 0 ? wrong : changed.map(({ key }) => key)
  showFailedEdit(model, {
    ...failedEdit(model, input, why),
    ...(place.keys.length > 1 && { title: `${wrong.length} of the ${place.keys.length} selected records` }),
    ...(retry.length > 0 && {
      again: {
        label: changed.length > 0 ? 'Replace' : 'Try again',
        run: () => savePlaces(model, input, onheld, retry),
      },
    }),
  })
}

/** Names of a place and its input, for a message about why the input isn’t saved. */
export function failedEdit(model: CampaignsModel, { place, edits, text }: PlaceInput, why: string): FailedEdit {
  const { facts, path, keys, title } = place
  const [key = ''] = keys
  const edit = edits.get(key)
  const value = edit && ('value' in edit ? edit.value : 'add' in edit ? edit.add : edit.remove)
  const words = text ?? valueWords(model, facts, path, value, model.contextOf(key)).replace(/^“|”$/g, '')
  return { key, head: insideSentence(headFor(facts, path)), title, text: words, why }
}

/** Says that someone else changed a place while it was edited. */
export function changedWords(
  model: CampaignsModel,
  { facts, path, keys }: Place,
  changed: readonly Pick<Refusal, 'key' | 'now'>[],
): string {
  const [one] = changed
  const words = valueWords(model, facts, path, one!.now, model.contextOf(one!.key))
  if (keys.length === 1) return `Changed to ${words} while you were editing`
  return `${changed.length} of ${keys.length} records changed while you were editing. One is now ${words}`
}

/** Describes the value of a path, for use in a sentence. */
function valueWords(
  { app }: CampaignsModel,
  facts: Collection,
  path: string,
  value: Json | undefined,
  context: RecordWordContext,
): string {
  const words = cellWords(app.replica.facts, facts, path, (at) => (at === path ? value : undefined), context)
  return words === '' ? 'nothing' : `“${words}”`
}
