import { insideSentence, sentenceCase } from '#shared/fields/heads'
import { parseRecordKey } from '#shared/domain/collections'
import type { Collection } from '#shared/facts/collection'
import { valueAt } from '#shared/fields/path'
import type { JsonObject } from '#shared/json'
import { aroundName } from '../../context/change-words'
import { recordLines } from '../../context/record-words'
import type { Row } from '../../replica/api'
import { byName } from '../../ui/by-name'
import { counted, nounFor } from '../../ui/counted'
import { plainLabel } from '../../ui/plain-label'
import { editMany, longWork } from './bulk'
import { leading, type Move } from './copy-dates'
import { copiesOf, sourcesOf, type Creation } from './copies'
import { ownerOf } from './copy-elsewhere'
import type { CampaignsModel } from './model.svelte'
import { aboutWords, plain, readAll } from './records'
import { parentIn } from './scope'
import { startOf } from './starts'

/** Creates a record of the displayed kind and opens it. */
export async function makeNew(model: CampaignsModel): Promise<void> {
  const { kind, app } = model
  const value = startOf(model)
  const name = value[kind.title ?? '']
  const label = `New ${kind.words.one}${typeof name === 'string' ? ` *${plain(name)}*` : ''}`
  const done = await app.edit(
    [{ kind: 'create', collection: kind.name, parent: parentOf(model), value }],
    { label },
    { text: `${sentenceCase(kind.words.one)} created` },
  )
  if (done?.keys[0]) model.openMade(done.keys[0])
}

/** Parent of new records of the kind. Null if the scope doesn't determine one. */
export const parentOf = ({ kind, scope }: CampaignsModel): string | null => parentIn(kind, scope) ?? null

/**
 * Copies records, including everything below them if `whole`. Asks for dates first if some of the copies' flights
 * contain others.
 */
export async function duplicate(model: CampaignsModel, keys: readonly string[], whole: boolean): Promise<void> {
  const { replica } = model.app
  // In turn, so that the copies include text that was just typed.
  const sources = await longWork(model, 'Duplicating', () => replica.inTurn(() => sourcesOf(replica, keys, whole)))
  if (!sources) return
  if (leading(replica.facts, sources.values()).length > 0) model.copying = { keys, whole, sources }
  else await makeCopies(model, keys, whole)
}

/** Asks where to copy records, including everything below them, and what they refer to there. */
export async function duplicateElsewhere(model: CampaignsModel, keys: readonly string[]): Promise<void> {
  const { app, kind, around } = model
  const { replica } = app
  const owner = ownerOf(kind)
  if (!owner) return
  const whole = around.includes(kind)
  const sources = await longWork(model, 'Duplicating', () => replica.inTurn(() => sourcesOf(replica, keys, whole)))
  if (!sources) return
  const originals = keys.flatMap((key) => sources.get(key) ?? [])
  const owners = new Set(originals.map(({ value }) => valueAt(value ?? undefined, owner.field)))
  const facts = replica.facts.of(owner.by)
  const choices = replica
    .rows(owner.by as Parameters<typeof replica.rows>[0], originals[0]?.parent ?? undefined)
    .filter(({ id, value }) => value && value['archived'] !== true && !(owners.size === 1 && owners.has(id)))
    .map((row) => ({ row, name: model.titleOf(row), group: aroundName(facts, row.value, model.namesAround(row.key)) }))
    .sort((a, b) => byName({ name: a.group ?? '' }, { name: b.group ?? '' }) || byName(a, b))
    .map(({ row, name: label, group }) => ({ value: row.key, label, ...(group !== undefined && { group }) }))
  if (choices.length === 0) return void app.toasts.show(`There’s no other ${facts.words.one} to copy to`)
  model.copying = { keys, whole, sources, destinations: { facts, choices } }
}

/** A place for copies: a record that they belong to, and what they refer to instead of others. */
export interface CopyDestination {
  key: string
  /** IDs by `referenceKey`. null drops the reference. */
  replacements: ReadonlyMap<string, string | null>
}

/** Copies records as one undo step, with dates moved by a number of days. */
export async function makeCopies(
  model: CampaignsModel,
  keys: readonly string[],
  whole: boolean,
  move?: Move,
  destination?: CopyDestination,
): Promise<void> {
  const { app } = model
  const place = destination && app.replica.peek(destination.key)
  if (destination && (!place?.value || place.value['archived'] === true)) {
    const { one } = app.replica.facts.of(parseRecordKey(destination.key).collection).words
    const why = place?.value
      ? `Couldn’t duplicate. The ${one} is archived. Choose another one.`
      : `Couldn’t duplicate. The ${one} no longer exists. Choose another one.`
    app.announce(why)
    app.toasts.show(why, { level: 'error' })
    return
  }
  const read = await longWork(model, 'Duplicating', ({ signal }) =>
    app.replica.inTurn(async () => {
      const copies = await copiesOf(app.replica, keys, whole, app.clock.now, move, destination?.replacements)
      const first = [...(await readAll(app.replica, keys)).values()]
      signal.throwIfAborted()
      return { ...copies, first }
    }),
  )
  if (!read) return
  const { changes, copied, left, moved, cut, first } = read
  if (changes.length === 0) {
    app.toasts.show('Nothing to duplicate')
    return
  }
  const about = copiedWords(model, first, copied.length) + (place ? ` to *${plain(model.titleOf(place))}*` : '')
  const archived = left.length === 1 ? 'it refers to an archived record' : 'they refer to archived records'
  const why = destination
    ? `${left.length === 1 ? 'it refers to a record that isn’t' : 'they refer to records that aren’t'} in the destination`
    : archived
  const out = left.length === 0 ? '' : `. ${counted(left.length, 'record')} skipped because ${why}`
  const more = out + daysWords(move) + movedWords(model, moved) + cutWords(model, cut)
  const text = `Duplicated ${plainLabel(about)}${more}`
  const done = await editMany(model, 'Duplicating', changes, { label: `Duplicate ${about}` }, { text, show: true })
  const opens = first.length === 1 ? done?.keys[copied.indexOf(first[0]!.key)] : undefined
  if (opens !== undefined) model.openKey(opens)
}

/** `*Spring* and 44 records in it`, for the label of a copy step. */
export function copiedWords(model: CampaignsModel, first: readonly Row[], all: number): string {
  const rest = Math.max(0, all - first.length)
  return `${aboutWords(model, first)}${rest > 0 ? ` and ${counted(rest, 'record')} in ${nounFor(first.length, 'it', 'them')}` : ''}`
}

/** `. Dates moved 214 days later`. */
const daysWords = ({ days }: Pick<Move, 'days'> = { days: 0 }): string =>
  days === 0 ? '' : `. Dates moved ${counted(Math.abs(days), 'day')} ${days > 0 ? 'later' : 'earlier'}`

/** `. 3 ads now start 22 Nov 2026, 11:00, because their original starts have passed`. */
function movedWords(model: CampaignsModel, moved: readonly Creation[]): string {
  const [first] = moved
  if (!first) return ''
  const facts = model.app.replica.facts.of(first.collection)
  const when = startWords(model, facts, first.value)
  return moved.length === 1
    ? `. 1 ${facts.words.one} now starts ${when}, because its original start has passed`
    : `. ${counted(moved.length, facts.words.one, facts.words.many)} now start ${when}, because their original starts have passed`
}

/** Describes when a record starts, for use in a sentence. */
export function startWords(model: CampaignsModel, facts: Collection, value: JsonObject): string {
  const path = facts.flight?.start ?? ''
  return insideSentence(recordLines(facts, path, valueAt(value, path), model.context).join(' '))
}

/** `. 2 placements shortened to the dates of the campaign`. */
function cutWords({ app }: CampaignsModel, cut: readonly Creation[]): string {
  const [first] = cut
  if (!first) return ''
  const { one, many } = app.replica.facts.of(first.collection).words
  const alike = cut.every(({ collection }) => collection === first.collection)
  const what = alike ? counted(cut.length, one, many) : counted(cut.length, 'record')
  return `. ${what} shortened to the dates of the campaign`
}
