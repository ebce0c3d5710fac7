import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JournalRecord, JournalState } from '#shared/ipc/sync-questions'
import { Journal } from '../../src-main/journal/journal'
import { noCounts, type Suite } from './suite'

const made = (id: string): JournalRecord => ({
  kind: 'entry',
  entry: {
    ...{ id, accountId: 'a', collection: 'events', parent: 'primary', recordId: `event${id}`, kind: 'create' },
    ...{ patch: { summary: `Title of ${id} ä€😀` }, base: null, complete: true, mails: 0, dependsOn: [], group: id },
    ...{ label: id, madeAt: 1, state: 'waiting', attempts: 0, unknownOutcome: false },
  },
})
const end = (entryId: string): JournalRecord => ({ kind: 'end', entryId, accountId: 'a', how: 'confirmed' })

/** Six entries, three of which end. */
const records = [made('1'), made('2'), end('1'), made('3'), made('4'), end('3'), made('5'), made('6'), end('5')]

/** Cuts a journal at every byte, and flips each bit of every byte. */
export const journal: Suite = async ({ say }) => {
  const counts = noCounts()
  const folder = await mkdtemp(join(tmpdir(), 'flightplan-crash-journal-'))
  const path = join(folder, 'outbox.journal')
  const first = await Journal.open(path)
  for (const record of records) await first.append([record])
  await first.close()
  const whole = await readFile(path)
  // The header, then one line per record.
  const ends = [...whole.keys()].filter((at) => whole[at] === 10)

  const opened = async (bytes: Buffer): Promise<JournalState> => {
    await writeFile(path, bytes)
    const journal = await Journal.open(path)
    const state = journal.state()
    await journal.close()
    counts.rounds++
    return state
  }
  /** Compares a journal with the records whose lines are complete. */
  const judge = (readable: readonly JournalRecord[], state: JournalState): void => {
    const open = new Set(state.open.map(({ id }) => id))
    const ended = new Set(readable.flatMap((record) => (record.kind === 'end' ? [record.entryId] : [])))
    const mine = readable.flatMap((record) => (record.kind === 'entry' ? [record.entry.id] : []))
    counts.lost += mine.filter((id) => !ended.has(id) && !open.has(id)).length
    const known = new Set(state.ended.map(({ id }) => id))
    counts.resent += [...ended].filter((id) => open.has(id) || !known.has(id)).length
    counts.doubled += state.open.length - open.size
  }

  counts.edits = records.length
  for (let size = 0; size <= whole.length; size++) {
    const state = await opened(whole.subarray(0, size))
    // A line is complete without its line break, too.
    judge(
      records.filter((_, at) => ends[at + 1]! <= size),
      state,
    )
    const torn = size > 0 && size < whole.length && !ends.some((at) => size === at || size === at + 1)
    if (torn && state.damaged === 0) counts.unreported++
  }
  say(`${counts.rounds} cuts done`)
  for (let at = 0; at < whole.length; at++)
    for (let bit = 0; bit < 8; bit++) {
      const bytes = Buffer.from(whole)
      bytes[at] = bytes[at]! ^ (1 << bit)
      const state = await opened(bytes)
      const line = ends.findIndex((lineEnd) => at <= lineEnd)
      const inBreak = ends[line] === at
      judge(
        records.filter((_, record) => inBreak || record + 1 !== line),
        state,
      )
      // A flipped line break loses nothing: both lines are found.
      if (!inBreak && state.damaged === 0) counts.unreported++
      if (counts.rounds % 5_000 === 0) {
        say(`${counts.rounds} journals opened`)
        for (const name of await readdir(folder)) if (name.includes('damaged')) await rm(join(folder, name))
      }
    }
  await rm(folder, { recursive: true })
  return counts
}
