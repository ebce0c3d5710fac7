import { insideSentence, recordLines } from '../../context/record-words'
import { counted } from '../../ui/counted'
import { plainLabel } from '../../ui/plain-label'
import { editMany, longWork } from './bulk'
import { copiesOf, type Creation } from './copies'
import type { CampaignsModel } from './model.svelte'
import { aboutWords, plain, readAll } from './records'
import { parentIn } from './scope'
import { startOf } from './starts'

/** Makes a record of the kind that is shown, where one is, and opens it. */
export async function makeNew(model: CampaignsModel): Promise<void> {
  const { kind, app } = model
  const value = startOf(model)
  const label = `New ${kind.words.one} *${plain(String(value[kind.title ?? ''] ?? ''))}*`
  const done = await app.edit(
    [{ kind: 'create', collection: kind.name, parent: parentOf(model), value }],
    { label },
    { text: `New ${kind.words.one} made` },
  )
  if (done?.keys[0]) model.openKey(done.keys[0])
}

/** Where new records of the kind lie; null where the scope does not say it. */
export const parentOf = ({ kind, scope }: CampaignsModel): string | null => parentIn(kind, scope) ?? null

/** Copies records, with everything that belongs to them where `whole`, as one step of undo. */
export async function duplicate(model: CampaignsModel, keys: readonly string[], whole: boolean): Promise<void> {
  const { app } = model
  // With what was just typed into them.
  const read = await longWork(model, 'Duplicating', ({ signal }) =>
    model.inTurn([], async () => {
      const copies = await copiesOf(app.replica, keys, whole, app.clock.now)
      const first = [...(await readAll(app.replica, keys)).values()]
      signal.throwIfAborted()
      return { ...copies, first }
    }),
  )
  if (!read) return
  const { changes, copied, left, moved, first } = read
  if (changes.length === 0) {
    app.announce('Nothing here can be copied')
    return
  }
  const rest = Math.max(0, copied.length - first.length)
  const label = `Duplicate ${aboutWords(model, first)}${rest > 0 ? ` with ${counted(rest, 'record')} of it` : ''}`
  const why = left.length === 1 ? 'it refers to what is archived' : 'they refer to what is archived'
  const out = left.length === 0 ? '' : `. ${counted(left.length, 'record was', 'records were')} left out: ${why}`
  const text = plainLabel(label) + out + movedWords(model, moved)
  const done = await editMany(model, 'Duplicating', changes, { label }, { show: true, text })
  const opens = first.length === 1 ? done?.keys[copied.indexOf(first[0]!.key)] : undefined
  if (opens !== undefined) model.openKey(opens)
}

/** `. 3 ads start 22 Nov 2026, 11:00: the start of the originals has passed`. */
function movedWords(model: CampaignsModel, moved: readonly Creation[]): string {
  const [first] = moved
  const facts = first && model.app.replica.facts.of(first.collection)
  if (!first || !facts?.ahead) return ''
  const { one, many } = facts.words
  const when = insideSentence(
    recordLines(facts, facts.ahead.start, first.value[facts.ahead.start], model.context).join(' '),
  )
  const what = moved.length === 1 ? `One ${one} starts` : `${counted(moved.length, one, many)} start`
  return `. ${what} ${when}: the start of ${moved.length === 1 ? 'the original' : 'the originals'} has passed`
}
