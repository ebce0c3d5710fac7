import { recordKey } from '#shared/domain/collections'
import type { OutboxEntry } from '#shared/mutation/entry'
import { patchBetween } from '#shared/mutation/fold'
import { localIdsIn } from '#shared/mutation/local-ids'
import type { Change } from '../replica/api'
import { counted } from '../ui/counted'
import { bareLabel } from '../ui/plain-label'
import { attempt } from './attempt'
import { entryTitle } from './change-words'
import type { AppContext } from './context'

type App = Pick<AppContext, 'replica' | 'toasts' | 'announce' | 'edit' | 'undoNext'>

/**
 * Discards an entry with its dependents, and says so. Undo queues all of them again. Returns false if it
 * couldn't be discarded.
 */
export async function discard(app: App, entry: OutboxEntry): Promise<boolean> {
  const before = app.replica.outbox()
  const ran = app.replica.withdraw(entry.id).then(() => true)
  if (!(await attempt(app.toasts, ran, { failed: 'Couldn’t discard this change.' }))) return false
  const discarded = discardedSince(app, before)
  const what = `“${bareLabel(entryTitle(entry))}”`
  tellDiscarded(app, entry.label, discarded, withdrawnWords(what, discarded.taken.length - 1, discarded.without.length))
  return true
}

interface Discarded {
  taken: OutboxEntry[]
  without: OutboxEntry[]
}

/** Finds entries removed from the queue, and entries that lost a reference to them, with their original fields. */
export function discardedSince({ replica }: Pick<App, 'replica'>, before: readonly OutboxEntry[]): Discarded {
  const now = new Map(replica.outbox().map((entry) => [entry.id, entry]))
  const taken = before.filter(({ id, state }) => state !== 'sending' && !now.has(id))
  const gone = new Set(taken.map(({ recordId }) => recordId))
  const without = before.flatMap((entry): OutboxEntry[] => {
    const left = now.get(entry.id)?.patch
    if (!left || !localIdsIn(entry.patch).some((id) => gone.has(id))) return []
    return [{ ...entry, kind: 'change', patch: patchBetween(left, entry.patch, Object.keys(entry.patch)) }]
  })
  return { taken, without }
}

/** Says what was discarded, and offers to queue it again. */
export function tellDiscarded(app: App, label: string, { taken, without }: Discarded, text: string): void {
  app.announce(text)
  const back = [...taken, ...without]
  const id = app.toasts.show(text, { action: { label: 'Undo', run: () => void putBack(app, label, back) } })
  app.undoNext(() => {
    app.toasts.dismiss(id)
    return putBack(app, label, back)
  })
}

/** Names what was discarded, counts its dependents, and counts the changes that only lost a reference to it. */
export function withdrawnWords(what: string, along: number, without: number): string {
  const also = along > 0 ? ` and ${counted(along, 'dependent change')}` : ''
  const discarded = `Discarded ${what}${also}`
  if (without === 0) return discarded
  return `${discarded}. ${counted(without, 'other change')} no longer ${without === 1 ? 'refers' : 'refer'} to what was discarded`
}

async function putBack(app: App, label: string, entries: readonly OutboxEntry[]): Promise<void> {
  const [first] = entries
  if (!first) return
  await app.edit(entries.map(asChange), {
    label,
    mails: first.mails,
    ...(first.sendUpdates && { sendUpdates: first.sendUpdates }),
  })
}

function asChange(entry: OutboxEntry): Change {
  const key = recordKey(entry.collection, entry.parent, entry.recordId)
  if (entry.kind === 'create') {
    return {
      kind: 'create',
      collection: entry.collection,
      parent: entry.parent,
      id: entry.recordId,
      value: entry.patch,
      ...(entry.place && { place: entry.place }),
    }
  }
  if (entry.kind === 'change') return { kind: 'change', key, patch: entry.patch }
  if (entry.kind === 'action' && entry.action) return { kind: 'action', key, action: entry.action, value: entry.patch }
  return { kind: 'delete', key }
}
