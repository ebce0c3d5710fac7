import type { Collection } from '#shared/facts/collection'
import { valueAt } from '#shared/fields/path'
import type { JsonObject } from '#shared/json'
import { insideSentence, recordLines, sentenceCase } from '../../context/record-words'
import type { Row } from '../../replica/api'
import { counted } from '../../ui/counted'
import { plainLabel } from '../../ui/plain-label'
import { editMany, longWork } from './bulk'
import { leading, type Move } from './copy-dates'
import { copiesOf, sourcesOf, type Creation } from './copies'
import type { CampaignsModel } from './model.svelte'
import { aboutWords, plain, readAll } from './records'
import { parentIn } from './scope'
import { startOf } from './starts'

/** Creates a record of the displayed kind and opens it. */
export async function makeNew(model: CampaignsModel): Promise<void> {
  const { kind, app } = model
  const value = startOf(model)
  const label = `New ${kind.words.one} *${plain(String(value[kind.title ?? ''] ?? ''))}*`
  const done = await app.edit(
    [{ kind: 'create', collection: kind.name, parent: parentOf(model), value }],
    { label },
    { text: `${sentenceCase(kind.words.one)} created` },
  )
  if (done?.keys[0]) model.openKey(done.keys[0])
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

/** Copies records as one undo step, with dates moved by a number of days. */
export async function makeCopies(
  model: CampaignsModel,
  keys: readonly string[],
  whole: boolean,
  move?: Move,
): Promise<void> {
  const { app } = model
  const read = await longWork(model, 'Duplicating', ({ signal }) =>
    app.replica.inTurn(async () => {
      const copies = await copiesOf(app.replica, keys, whole, app.clock.now, move)
      const first = [...(await readAll(app.replica, keys)).values()]
      signal.throwIfAborted()
      return { ...copies, first }
    }),
  )
  if (!read) return
  const { changes, copied, left, moved, cut, first } = read
  if (changes.length === 0) {
    app.announce('Nothing to duplicate')
    return
  }
  const label = copyLabel(model, first, copied.length)
  const why = left.length === 1 ? 'it refers to an archived record' : 'they refer to archived records'
  const out = left.length === 0 ? '' : `. ${counted(left.length, 'record')} skipped because ${why}`
  const text = plainLabel(label) + out + daysWords(move) + movedWords(model, moved) + cutWords(model, cut)
  const done = await editMany(model, 'Duplicating', changes, { label }, { show: true, text })
  const opens = first.length === 1 ? done?.keys[copied.indexOf(first[0]!.key)] : undefined
  if (opens !== undefined) model.openKey(opens)
}

/** Label of a copy step. */
export function copyLabel(model: CampaignsModel, first: readonly Row[], all: number): string {
  const rest = Math.max(0, all - first.length)
  return `Duplicate ${aboutWords(model, first)}${rest > 0 ? ` and ${counted(rest, 'record')} in it` : ''}`
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
