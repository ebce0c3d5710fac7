import type { PendingChange } from '#shared/ipc/pending-questions'
import type { JournalContents } from './journal'

/** Maximum length of a label that's shown. */
const maxLabel = 500

/** Pending changes for users, oldest first. Changes of a newer version have a label only if it's in the same field. */
export function pendingChanges({ entries, unknown }: JournalContents): PendingChange[] {
  const known = entries.map(({ label, madeAt }) => ({ label: label.slice(0, maxLabel), madeAt }))
  const strange = unknown.map((value) => {
    const { label, madeAt } = entryOf(value)
    return {
      label: typeof label === 'string' ? label.slice(0, maxLabel) : '',
      madeAt: typeof madeAt === 'number' && Number.isFinite(madeAt) ? madeAt : 0,
    }
  })
  return [...known, ...strange].sort((a, b) => a.madeAt - b.madeAt)
}

/**
 * Text of a file with all unsent content of the journal: entries, entries that only a newer version understands, and damaged
 * lines, all unchanged.
 */
export function pendingFile(contents: JournalContents, { version, now }: { version: string; now: number }): string {
  const { entries, unknown, damaged } = contents
  const file = {
    what: 'Flightplan pending changes',
    exportedBy: version,
    exportedAt: new Date(now).toISOString(),
    changes: entries,
    changesOfNewerVersions: unknown.map(entryOf),
    damagedLines: damaged,
  }
  return `${JSON.stringify(file, null, 2)}\n`
}

const entryOf = (value: unknown): Record<string, unknown> => {
  const { entry } = value as { entry?: unknown }
  return (typeof entry === 'object' && entry !== null ? entry : value) as Record<string, unknown>
}
