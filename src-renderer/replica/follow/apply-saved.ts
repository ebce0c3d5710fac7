import { safeParse } from '#shared/safe-parse'
import type { Json } from '#shared/json'
import type { Deleted } from '../api'
import { checkPrefix, storedChecks } from '../check-result'
import { duePrefix, storedDues } from '../checks-due'
import { deletedPrefix } from '../deleted-meta'
import { broughtPrefix, downloadsMeta, leavingMeta, pagePrefix, removingMeta, storedDownloads } from '../downloads'
import type { Memory } from '../memory'
import type { Write } from '../store'
import { Tx } from '../tx'
import { renamePrefix, renamesSchema } from '../undo-steps'
import type { OwnerState, Saved } from './messages'

/** Takes over the owner's state that isn't on disk. */
export function takeState(memory: Memory, { remote, renamed, firstIds }: OwnerState): void {
  memory.remote.restore(remote)
  for (const [from, to] of renamed) memory.renamed.set(from, to)
  for (const [now, first] of firstIds) memory.firstIds.set(now, first)
}

/**
 * Repeats a saved transaction of another window in memory. Memory may already contain part of the transaction, because it was
 * loaded since. That's safe, because every write puts or removes a whole item.
 */
export function applySaved(memory: Memory, { writes, renames, bodies, remote }: Saved): void {
  // First, because rows contain their number.
  memory.remote.follow(remote)
  // The owner had these bodies in memory, too. Without its body, a row would vanish when its entry ends.
  for (const body of bodies) memory.hold(body)
  const tx = new Tx(memory)
  for (const { key, to } of renames) tx.rename(key, to)
  for (const write of writes) applyWrite(tx, write)
  memory.letGo()
}

function applyWrite(tx: Tx, write: Write): void {
  const { memory } = tx
  switch (write.table) {
    case 'rows':
      return 'put' in write ? tx.putRow(write.put) : tx.removeRow(write.remove)
    case 'outbox':
      return 'put' in write ? memory.setEntry(write.put.id, write.put) : memory.setEntry(write.remove, null)
    case 'cursors':
      return 'put' in write ? tx.putCursor(write.put) : tx.removeCursor(write.remove)
    case 'undo':
      return 'put' in write ? tx.putUndo(write.put) : tx.removeUndo(write.remove)
    case 'notices':
      return 'put' in write ? tx.putNotice(write.put) : tx.removeNotice(write.remove)
    case 'meta':
      return 'put' in write ? applyMeta(tx, write.put.key, write.put.value) : applyMeta(tx, write.remove, undefined)
    case 'history':
    case 'unreadable':
      // Only on disk.
      return undefined
  }
}

/** Updates memory from a stored value. @param value undefined after its removal */
export function applyMeta(tx: Tx, key: string, value: Json | undefined): void {
  const { memory } = tx
  const meta = new Map<string, unknown>(value === undefined ? [] : [[key, value]])
  const after = (prefix: string): string => key.slice(prefix.length)
  if (key.startsWith(pagePrefix)) tx.putPage(after(pagePrefix), storedDownloads(meta).pages[0]?.[1] ?? null)
  else if (key.startsWith(broughtPrefix))
    tx.putBrought(after(broughtPrefix), storedDownloads(meta).brought[0]?.[1] ?? null)
  else if (key.startsWith(deletedPrefix)) tx.putDeleted(after(deletedPrefix), (value as Deleted | undefined) ?? null)
  else if (key.startsWith(checkPrefix))
    for (const [service, result] of storedChecks(meta)) memory.checks.set(service, result)
  else if (key.startsWith(renamePrefix)) {
    const renames = safeParse(renamesSchema, value)
    if (renames.success) memory.undo.renames.set(after(renamePrefix), renames.data)
    else memory.undo.renames.delete(after(renamePrefix))
  } else if (key === downloadsMeta) {
    memory.downloads.clear()
    for (const download of storedDownloads(meta).downloads) memory.downloads.set(download.key, download)
    memory.noteChange('downloads')
  } else if (key === leavingMeta) {
    memory.leaving.clear()
    for (const row of storedDownloads(meta).leaving) memory.leaving.add(row)
  } else if (key === removingMeta) memory.removing = storedDownloads(meta).removing
  else if (key.startsWith(duePrefix)) {
    memory.checksDue.delete(after(duePrefix))
    for (const [target, due] of storedDues(meta).dues) memory.checksDue.set(target, due)
  }
}
