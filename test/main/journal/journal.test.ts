import { mkdtemp, open, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { JournalRecord } from '#shared/ipc/sync-questions'
import { Journal } from '../../../src-main/journal/journal'
import { writeLine } from '../../../src-main/journal/line'
import { pendingChanges, pendingFile } from '../../../src-main/journal/pending-file'
import { someEntry } from '../../helpers/some-entry'

let folder: string
let path: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flightplan-journal-'))
  path = join(folder, 'outbox.journal')
})

const entry = (id: string, title = `Title of ${id}`): JournalRecord & { kind: 'entry' } => ({
  kind: 'entry',
  entry: someEntry({
    id,
    parent: 'primary',
    recordId: `event${id}`,
    kind: 'create',
    patch: { summary: title, list: [1, { deep: 'ä€😀' }] },
    group: id,
    label: title,
    madeAt: 1,
  }),
})
const end = (entryId: string, made?: string): JournalRecord => ({
  kind: 'end',
  entryId,
  accountId: 'a',
  how: 'confirmed',
  ...(made !== undefined && { made }),
})

async function reopened(): Promise<{ ids: string[]; damaged: number; epoch: string }> {
  const journal = await Journal.open(path)
  const { open, damaged, epoch } = journal.state()
  await journal.close()
  return { ids: open.map(({ id }) => id), damaged, epoch }
}

describe('the journal', () => {
  it('confirms an edit and goes on if it can’t be compacted', async () => {
    const journal = await Journal.open(path)
    await journal.append(Array.from({ length: 1_999 }, (_unused, at) => end(`old ${at}`)))
    const probe = await open(path)
    const file = Object.getPrototypeOf(probe) as typeof probe
    await probe.close()
    const { datasync } = file
    // As if another program had taken the new file away, so that it can't be renamed.
    const flushing = vi.spyOn(file, 'datasync').mockImplementation(async function (this: typeof probe) {
      await datasync.call(this)
      await rm(`${path}.new`, { force: true })
    })
    try {
      await journal.append([end('last'), entry('1')])
    } finally {
      flushing.mockRestore()
    }
    await journal.append([entry('2')])
    await journal.close()
    expect((await reopened()).ids).toEqual(['1', '2'])
  })

  it('writes an edit to disk before it confirms', async () => {
    const journal = await Journal.open(path)
    const order: string[] = []
    const probe = await open(path)
    const file = Object.getPrototypeOf(probe) as typeof probe
    await probe.close()
    const flush = file.datasync
    const flushing = vi.spyOn(file, 'datasync').mockImplementation(async function (this: typeof probe) {
      await flush.call(this)
      order.push('flushed')
    })
    try {
      await journal.append([entry('1')])
      order.push('saved')
    } finally {
      flushing.mockRestore()
    }
    expect(order).toEqual(['flushed', 'saved'])
    await journal.close()
  })

  it('keeps entries, order, and its epoch over a restart', async () => {
    const journal = await Journal.open(path)
    expect(journal.state().fresh).toBe(true)
    await journal.append([entry('1'), entry('2'), entry('3')])
    await journal.append([end('2'), entry('1', 'changed')])
    const { epoch } = journal.state()
    await journal.close()
    expect(await reopened()).toEqual({ ids: ['1', '3'], damaged: 0, epoch })
    const again = await Journal.open(path)
    expect(again.state().fresh).toBe(false)
    expect(again.state().open[0]!.label).toBe('changed')
    await again.close()
  })

  it('has everything on disk when append resolves, without a close', async () => {
    const journal = await Journal.open(path)
    await journal.append([entry('1')])
    expect((await reopened()).ids).toEqual(['1'])
    await journal.close()
  })

  it('keeps the order of concurrent appends', async () => {
    const journal = await Journal.open(path)
    await Promise.all(Array.from({ length: 50 }, (_unused, n) => journal.append([entry(String(n).padStart(2, '0'))])))
    await journal.close()
    expect((await reopened()).ids).toEqual(Array.from({ length: 50 }, (_unused, n) => String(n).padStart(2, '0')))
  })

  it('recovers a complete prefix when cut at any byte', async () => {
    const journal = await Journal.open(path)
    for (const id of ['1', '2', '3']) await journal.append([entry(id)])
    await journal.close()
    const whole = await readFile(path)
    const lengths = new Set<number>()
    for (let size = 0; size <= whole.length; size++) {
      await writeFile(path, whole.subarray(0, size))
      const { ids } = await reopened()
      expect(ids).toEqual(['1', '2', '3'].slice(0, ids.length))
      lengths.add(ids.length)
    }
    expect(lengths).toEqual(new Set([0, 1, 2, 3]))
  })

  it('loses at most one entry to a flipped byte, reports it, and keeps the damaged line', async () => {
    const journal = await Journal.open(path)
    for (const id of ['1', '2', '3']) await journal.append([entry(id)])
    await journal.close()
    const whole = await readFile(path)
    const header = whole.indexOf('\n') + 1
    for (let at = header; at < whole.length; at++) {
      if (at % 3 !== 0 && whole[at] !== 10) continue
      const bytes = Buffer.from(whole)
      bytes[at] = bytes[at]! ^ 0x15
      await writeFile(path, bytes)
      const { ids, damaged } = await reopened()
      // Flipping a line break damages neither adjacent line.
      expect(ids.length).toBe(whole[at] === 10 ? 3 : 2)
      if (ids.length < 3) expect(damaged).toBeGreaterThan(0)
    }
    expect((await readdir(folder)).some((name) => name.startsWith('journal-damaged-'))).toBe(true)
  })

  it('gets a new epoch when its header is gone, so the replica is refetched', async () => {
    const journal = await Journal.open(path)
    const { epoch } = journal.state()
    await journal.append([entry('1')])
    await journal.close()
    const text = await readFile(path, 'utf8')
    await writeFile(path, text.slice(text.indexOf('\n') + 1))
    const again = await reopened()
    expect(again.ids).toEqual(['1'])
    expect(again.epoch).not.toBe(epoch)
  })

  it('stays small after thousands of finished entries', async () => {
    const journal = await Journal.open(path)
    for (let n = 0; n < 2_100; n += 100) {
      const ids = Array.from({ length: 100 }, (_unused, k) => String(n + k))
      await journal.append(ids.map((id) => entry(id)))
      await journal.append(ids.map((id) => end(id)))
    }
    await journal.append([entry('last')])
    await journal.close()
    expect((await readFile(path)).length).toBeLessThan(350_000)
    expect((await reopened()).ids).toEqual(['last'])
  })

  it('remembers finished entries over restarts, thousands of them, until re-added', async () => {
    const numbered = (count: number): string[] => Array.from({ length: count }, (_unused, n) => `x${n}`)
    const journal = await Journal.open(path)
    await journal.append(numbered(9_000).map((id) => end(id)))
    await journal.append([entry('1'), end('1', 'list1'), entry('2'), end('2'), entry('2')])
    await journal.close()
    for (let start = 0; start < 2; start++) {
      const again = await Journal.open(path)
      const { open, ended } = again.state()
      await again.close()
      expect(open.map(({ id }) => id)).toEqual(['2'])
      expect(ended.slice(-3)).toEqual([{ id: 'x8998' }, { id: 'x8999' }, { id: '1', made: 'list1' }])
      expect(ended).toHaveLength(5_000)
    }
  })

  it("rejects an edit it can't save and keeps the others", async () => {
    const journal = await Journal.open(path)
    await journal.append([entry('1')])
    await journal.close()
    await expect(journal.append([entry('2')])).rejects.toMatchObject({ fault: { code: 'storage' } })
    expect((await reopened()).ids).toEqual(['1'])
  })

  it('can be looked at and exported without changing a byte on the disk', async () => {
    const strange = {
      kind: 'entry',
      entry: { ...entry('3').entry, kind: 'teleport', label: 'Beam *Mina* up', madeAt: 2 },
    }
    const lines = [
      writeLine({ kind: 'journal', version: 9, epoch: 'e' }),
      writeLine(entry('1')),
      writeLine(entry('2')),
      writeLine(end('2')),
      writeLine(strange),
      'not a line of a journal\n',
      writeLine(entry('4')).slice(0, 60),
    ].join('')
    await writeFile(path, lines)
    const journal = await Journal.peek(path)
    expect(await readFile(path, 'utf8')).toBe(lines)
    expect(await readdir(folder)).toEqual(['outbox.journal'])
    const contents = journal.contents()
    expect(contents.entries).toEqual([entry('1').entry])
    expect(contents.unknown).toEqual([strange])
    expect(contents.damaged).toHaveLength(2)
    expect(pendingChanges(contents)).toEqual([
      { label: 'Title of 1', madeAt: 1 },
      { label: 'Beam *Mina* up', madeAt: 2 },
    ])
    const file: unknown = JSON.parse(pendingFile(contents, { version: '0.1.0', now: 0 }))
    expect(file).toEqual({
      what: 'Flightplan pending changes',
      exportedBy: '0.1.0',
      exportedAt: '1970-01-01T00:00:00.000Z',
      changes: [entry('1').entry],
      changesOfNewerVersions: [strange.entry],
      damagedLines: ['not a line of a journal', writeLine(entry('4')).slice(0, 60)],
    })
  })

  it('can be looked at where there is none', async () => {
    expect((await Journal.peek(path)).contents()).toEqual({ entries: [], unknown: [], damaged: [] })
    expect(await readdir(folder)).toEqual([])
  })

  it('shows changes of a newer version that have no label, or another one', async () => {
    const odd = [
      { kind: 'entry', entry: { label: 7, madeAt: 'today' } },
      { kind: 'teleport' },
      { kind: 'entry', entry: null },
    ]
    await writeFile(path, odd.map(writeLine).join(''))
    const contents = (await Journal.peek(path)).contents()
    expect(pendingChanges(contents)).toEqual(odd.map(() => ({ label: '', madeAt: 0 })))
    expect(JSON.parse(pendingFile(contents, { version: '0.1.0', now: 0 }))).toMatchObject({
      changesOfNewerVersions: [{ label: 7, madeAt: 'today' }, { kind: 'teleport' }, { kind: 'entry', entry: null }],
    })
  })

  describe("with a newer version's lines", () => {
    /** Complete lines that this version doesn't understand, from a possible future version. */
    const strange = {
      collection: { kind: 'entry', entry: { ...entry('1').entry, collection: 'rockets', profile: '7' } },
      action: { kind: 'entry', entry: { ...entry('2').entry, kind: 'action', action: { name: 'archive', deep: [1] } } },
      kind: { kind: 'entry', entry: { ...entry('3').entry, kind: 'post' } },
      record: { kind: 'held', accountId: 'a', entries: ['1'] },
    }
    const lines = Object.values(strange).map((value) => writeLine(value))

    async function withLines(more: readonly string[]): Promise<void> {
      const journal = await Journal.open(path)
      await journal.append([entry('0')])
      await journal.close()
      await writeFile(path, (await readFile(path, 'utf8')) + more.join(''))
    }

    it('preserves them verbatim through restarts and compaction and counts them as unsent', async () => {
      await withLines(lines)
      for (let start = 0; start < 3; start++) {
        const journal = await Journal.open(path)
        const { open, unknown, damaged } = journal.state()
        expect([open.map(({ id }) => id), damaged]).toEqual([['0'], 0])
        expect(unknown).toMatchObject([
          { id: '1', accountId: 'a', key: 'rockets\nprimary\nevent1' },
          { id: '2', accountId: 'a', key: 'events\nprimary\nevent2' },
          { id: '3', accountId: 'a' },
          {},
        ])
        expect([journal.unsent('a'), journal.unsent('b'), journal.unsent()]).toEqual([5, 1, 5])
        for (let n = 0; n < 3; n++) {
          const ids = Array.from({ length: 1_000 }, (_unused, k) => `x${n * 1_000 + k}`)
          await journal.append([...ids.map((id) => entry(id)), ...ids.map((id) => end(id))])
        }
        await journal.close()
        const text = await readFile(path, 'utf8')
        for (const line of lines) expect(text.split(line)).toHaveLength(2)
      }
      expect((await readdir(folder)).filter((name) => name.includes('damaged'))).toEqual([])
    })

    it('uses the last line of an entry, known or not', async () => {
      const known = (id: string): string => writeLine(entry(id))
      const ended = writeLine(end('3'))
      await withLines([known('1'), lines[0]!, lines[1]!, known('2'), lines[2]!, ended])
      const journal = await Journal.open(path)
      const { open, unknown } = journal.state()
      await journal.close()
      expect([open.map(({ id }) => id), unknown.map(({ id }) => id)]).toEqual([['0', '2'], ['1']])
    })

    it('still sets a damaged line aside', async () => {
      await withLines([lines[0]!.replace('rockets', 'rocketz'), '0123456789abcdef {"kind":"entry"}\n', lines[1]!])
      const journal = await Journal.open(path)
      const { damaged, unknown } = journal.state()
      await journal.close()
      expect([damaged, unknown.map(({ id }) => id)]).toEqual([2, ['2']])
    })

    it("keeps a newer header's epoch, so the replica stays", async () => {
      await writeFile(path, writeLine({ kind: 'journal', version: 2, epoch: 'theirs', more: true }) + lines[0])
      expect(await reopened()).toEqual({ ids: [], damaged: 0, epoch: 'theirs' })
    })
  })
})
