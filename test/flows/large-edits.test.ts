import { beforeEach, describe, expect, it } from 'vitest'
import type { Change } from '../../src-renderer/replica/api'
import { sliceSize } from '../../src-renderer/replica/slices'
import { modelForEach } from './model/for-each'

const many = sliceSize * 4
const tasksInBox = (count: number): Change[] =>
  Array.from({ length: count }, (_unused, n) => ({
    kind: 'create',
    collection: 'tasks',
    parent: 'inbox',
    value: { title: `Task ${n}` },
  }))

describe('a bulk edit', () => {
  const { clock, service, device } = modelForEach(1_000)
  /** Number of tasks before the test. */
  let before: number
  const rows = (): number => device.replica.rows('tasks', 'inbox').length
  const entries = (): number => device.replica.outbox().length
  /** The edit's promise, once all its slices had their turn. */
  const whole = async <T>(work: Promise<T>): Promise<T> => {
    work.catch(() => undefined)
    await clock.pass(1_000)
    return work
  }
  const change = (keys: readonly string[], notes: string): Promise<unknown> =>
    device.replica.edit(
      keys.map((key) => ({ kind: 'change', key, patch: { notes } })),
      { label: notes },
    )
  const notes = (keys: readonly string[]): unknown[] => [
    ...new Set(keys.map((key) => device.replica.peek(key)?.value?.notes)),
  ]

  beforeEach(() => {
    device.replica.pause(true)
    before = rows()
  })

  it('shows in slices, each in its own task, and is one undo and redo step', async () => {
    const seen = new Set<number>()
    device.replica.subscribe(() => seen.add(rows() - before))
    const { keys } = await whole(device.replica.edit(tasksInBox(many), { label: 'Many tasks' }))
    expect([rows() - before, keys.length, new Set(keys).size]).toEqual([many, many, many])
    expect([...seen]).toEqual([1, 2, 3, 4].map((part) => part * sliceSize))
    expect(device.replica.undoable).toEqual({ undo: 'Many tasks', redo: null })
    expect(await whole(device.replica.undo())).toBe('Many tasks')
    expect([rows() - before, entries()]).toEqual([0, 0])
    expect(device.replica.undoable).toEqual({ undo: null, redo: 'Many tasks' })
    await whole(device.replica.redo())
    expect([rows() - before, entries()]).toEqual([many, many])
    expect(device.replica.undoable).toEqual({ undo: 'Many tasks', redo: null })
  })

  it('rolls back all slices in memory, on disk, and in the journal when a later change fails', async () => {
    const bad: Change = { kind: 'change', key: 'tasks\ninbox\nnobody', patch: { title: 'x' } }
    const work = device.replica.edit([...tasksInBox(many), bad], { label: 'Many tasks' })
    await expect(whole(work)).rejects.toMatchObject({ fault: { code: 'notFound' } })
    expect([rows() - before, entries(), device.replica.undoable.undo]).toEqual([0, 0, null])
    expect([device.disk.data.outbox.size, device.disk.data.undo.size, device.journal.state().open]).toEqual([0, 0, []])
  })

  for (const [what, fail, mend] of [
    [
      'store',
      (writes: number) => {
        device.store.beforeWrite = () => {
          if (--writes < 0) device.store.failing = new Error('The disk is full')
        }
      },
      () => {
        device.store.beforeWrite = device.store.failing = null
      },
    ],
    [
      'journal',
      (writes: number) => {
        device.beforeAnswer = (name) => {
          if (name === 'journal/append' && --writes < 0) device.journal.failing = true
        }
      },
      () => {
        device.beforeAnswer = null
        device.journal.failing = false
      },
    ],
  ] as const) {
    it(`rolls back all slices when the ${what} rejects a later one`, async () => {
      const { keys } = await whole(device.replica.edit(tasksInBox(many), { label: 'Many tasks' }))
      await whole(change(keys, 'first'))
      fail(2)
      await expect(whole(change(keys, 'second'))).rejects.toMatchObject({ fault: { code: 'storage' } })
      mend()
      expect(notes(keys)).toEqual(['first'])
      expect(device.replica.undoable.undo).toBe('first')
      // Nothing left over blocks the next one.
      await whole(change(keys, 'third'))
      await clock.pass(1_000)
      device.crash()
      await device.start()
      expect(notes(keys)).toEqual(['third'])
      expect(await whole(device.replica.undo())).toBe('third')
      expect(notes(keys)).toEqual(['first'])
    })
  }

  it.each(['the next edit', 'quitting'])(
    "that couldn't be rolled back on disk doesn't return at the next start: it's removed with %s",
    async (which) => {
      const failing = new Error('The disk is full')
      let writes = 2
      device.store.beforeWrite = () => {
        if (--writes < 0) device.store.failing = failing
      }
      const work = device.replica.edit(tasksInBox(many), { label: 'Many tasks' })
      await expect(whole(work)).rejects.toMatchObject({ fault: { code: 'storage' } })
      expect([rows() - before, entries()]).toEqual([0, 0])
      expect(device.disk.data.outbox.size).toBeGreaterThan(0)
      device.store.beforeWrite = device.store.failing = null
      const made = which === 'the next edit' ? 1 : 0
      if (made > 0) await whole(device.replica.edit(tasksInBox(made), { label: 'One task' }))
      else await whole(device.replica.close())
      expect(device.disk.data.outbox.size).toBe(made)
      device.crash()
      await device.start()
      await clock.pass(1_000)
      expect([rows() - before, entries(), device.replica.notices()]).toEqual([made, made, []])
      expect(device.replica.undoable.undo).toBe(made > 0 ? 'One task' : null)
    },
  )

  it('is rolled back also under IDs from the service', async () => {
    const list = (
      await device.replica.edit(
        [{ kind: 'create', collection: 'tasklists', parent: null, value: { title: 'New list' } }],
        { label: 'New list' },
      )
    ).keys[0]!.split('\n').at(-1)!
    const inside = tasksInBox(sliceSize * 2 + 50).map((one) => ({ ...one, parent: list }))
    const { keys } = await whole(device.replica.edit(inside, { label: 'Many tasks' }))
    let answer: () => void = () => undefined
    const answered = new Promise<void>((resolve) => (answer = resolve))
    device.beforeAnswer = (name) => (name === 'sync/push' ? answered : undefined)
    device.replica.pause(false)
    await clock.pass(1_000)
    expect(device.replica.outbox()[0]).toMatchObject({ collection: 'tasklists', state: 'sending' })
    const disk = clock.environment(Math.random, () => true)
    device.store.beforeWrite = () => new Promise((resolve) => disk.setTimer(resolve, 10_000))
    const changes = keys.map((key): Change => ({ kind: 'change', key, patch: { notes: 'never' } }))
    const bad: Change = { kind: 'change', key: 'tasks\ninbox\nnobody', patch: { title: 'x' } }
    const work = device.replica.edit([...changes, bad], { label: 'Notes' })
    work.catch(() => undefined)
    await clock.pass(2_000)
    device.replica.pause(true)
    answer()
    await clock.pass(2_000)
    const real = device.replica.rows('tasklists').find((row) => row.value?.title === 'New list')!.id
    expect(real).not.toBe(list)
    device.store.beforeWrite = null
    await clock.pass(60_000)
    await expect(work).rejects.toMatchObject({ fault: { code: 'notFound' } })
    const left = device.replica.outbox()
    expect(left).toHaveLength(keys.length)
    expect([...new Set(left.map((entry) => entry.parent))]).toEqual([real])
    expect(left.filter((entry) => 'notes' in entry.patch)).toEqual([])
    expect(JSON.stringify([...device.disk.data.outbox.values()])).not.toContain(list)
  })

  it('precedes all later edits and follows none', async () => {
    const { keys } = await whole(device.replica.edit(tasksInBox(many), { label: 'Many tasks' }))
    const first = change(keys, 'first')
    const second = device.replica.edit([{ kind: 'change', key: keys[0]!, patch: { notes: 'one' } }], { label: 'one' })
    const undone = device.replica.undo()
    const third = change(keys.slice(1), 'third')
    await whole(Promise.all([first, second, undone, third]))
    expect(await undone).toBe('one')
    expect([notes(keys.slice(0, 1)), notes(keys.slice(1))]).toEqual([['first'], ['third']])
  })

  it('is sent only when complete', async () => {
    const sent = (): number =>
      service.living('tasks inbox').filter(({ title }) => String(title).startsWith('Task')).length
    const disk = clock.environment(Math.random, () => true)
    device.store.beforeWrite = () => new Promise((resolve) => disk.setTimer(resolve, 10_000))
    let done = false
    const work = device.replica.edit(tasksInBox(sliceSize * 6), { label: 'Many tasks' }).then(() => (done = true))
    await clock.pass(12_000)
    // It would send now if it could: its mark would reach the disk before the last slices.
    device.replica.pause(false)
    await clock.pass(33_000)
    expect([done, sent()]).toEqual([false, 0])
    device.store.beforeWrite = null
    await clock.pass(30_000)
    await work
    await clock.pass(1_000)
    expect(sent()).toBeGreaterThan(0)
  })

  it('stays complete when stopping its undo midway', async () => {
    await whole(device.replica.edit(tasksInBox(many), { label: 'Many tasks' }))
    const control = new AbortController()
    const onprogress = (done: number): void => {
      if (done >= sliceSize * 2) control.abort()
    }
    const stopped = whole(device.replica.undo(undefined, { signal: control.signal, onprogress }))
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' })
    expect([rows() - before, entries()]).toEqual([many, many])
    expect(device.replica.undoable).toEqual({ undo: 'Many tasks', redo: null })
    expect(await whole(device.replica.undo())).toBe('Many tasks')
    expect([rows() - before, entries()]).toEqual([0, 0])
  })

  it('leaves complete slices after a window crash, which one undo reverts', async () => {
    void device.replica.edit(tasksInBox(many), { label: 'Many tasks' }).catch(() => undefined)
    await clock.settle()
    await clock.settle()
    device.crash()
    await device.start()
    device.replica.pause(true)
    expect(entries()).toBeGreaterThan(0)
    expect(entries()).toBeLessThan(many)
    expect(entries() % sliceSize).toBe(0)
    expect(await whole(device.replica.undo())).toBe('Many tasks')
    expect([entries(), rows() - before]).toEqual([0, 0])
  })

  it("can be undone after sending, with the service's IDs, also by a later window", async () => {
    await whole(device.replica.edit(tasksInBox(sliceSize + 20), { label: 'Many tasks' }))
    await device.quiesce()
    while (device.replica.status.unsent > 0) await clock.pass(60_000)
    expect(service.living('tasks inbox').length).toBe(before + sliceSize + 20)
    await device.replica.close()
    await device.start()
    await clock.pass(1_000)
    expect(await whole(device.replica.undo())).toBe('Many tasks')
    await device.quiesce()
    while (device.replica.status.unsent > 0) await clock.pass(60_000)
    expect(service.living('tasks inbox').length).toBe(before)
    // Created again under new IDs, and deleted by those.
    await whole(device.replica.redo())
    await device.quiesce()
    while (device.replica.status.unsent > 0) await clock.pass(60_000)
    expect(service.living('tasks inbox').length).toBe(before + sliceSize + 20)
    await whole(device.replica.undo())
    await device.quiesce()
    while (device.replica.status.unsent > 0) await clock.pass(60_000)
    expect(service.living('tasks inbox').length).toBe(before)
  })
})
