import { expect, it } from 'vitest'
import { parseRecordKey } from '#shared/domain/collections'
import { FaultError } from '#shared/fault'
import type { Answer, Bridge } from '#shared/ipc/contract'
import type { PullPage } from '#shared/ipc/sync-questions'
import { behaviors } from '../../../src-renderer/behaviors'
import { Commits } from '../../../src-renderer/replica/commits'
import { Memory } from '../../../src-renderer/replica/memory'
import { MemoryStore } from '../../../src-renderer/replica/memory-store'
import type { Engine } from '../../../src-renderer/sync/engine'
import { Pace } from '../../../src-renderer/sync/pace'
import { pullTarget } from '../../../src-renderer/sync/pull'

const key = 'advertiserLandingPages\n7\n?campaignIds=1'
const part = { params: { campaignIds: ['1'] }, id: '1' }
const between = { ends: () => false, wanted: () => false, run: () => Promise.resolve(true) }

/**
 * Reads the first of two pages of a part while an edit is being written, whose write fails so many microtasks after the page
 * arrived. @returns IDs of the stored rows, and of those that are known to have come with the part
 */
async function readBehindFailingEdit(ticks: number): Promise<{ rows: string[]; brought: string[] }> {
  const memory = new Memory(behaviors)
  const store = new MemoryStore()
  await store.open()
  let fail = (): void => undefined
  const page: PullPage = {
    records: [{ collection: 'advertiserLandingPages', parent: '7', id: '11', value: { id: '11', advertiserId: '3' } }],
    nextPage: 'second',
    full: true,
    units: 1,
  }
  const fails: Answer<PullPage> = {
    ok: false,
    fault: { code: 'unavailable', message: 'The service isn’t responding.' },
  }
  let asked = 0
  const failLater = async (): Promise<void> => {
    for (let tick = 0; tick < ticks; tick++) await Promise.resolve()
    fail()
  }
  const ask = (name: string): Promise<unknown> => {
    if (name !== 'sync/pull') return Promise.resolve({ ok: true, value: null })
    if (asked++ > 0) return Promise.resolve(fails)
    void failLater()
    return Promise.resolve({ ok: true, value: page })
  }
  const commits = new Commits(memory, store, { ask } as unknown as Bridge, () => undefined)
  const environment = { now: () => 0, elapsed: () => 0, setTimer: setTimeout }
  const engine = {
    ...{ account: { id: 'account' }, bridge: { ask }, memory, commits, store, environment },
    ...{ pace: new Pace(memory, environment.elapsed), spend: () => undefined },
  } as unknown as Engine

  const fault = { code: 'storage', message: 'The disk is full' } as const
  await new Promise<void>((writing) => {
    store.beforeWrite = () => {
      store.beforeWrite = null
      writing()
      return new Promise((_, reject) => (fail = () => reject(new FaultError(fault))))
    }
    commits.run('edit', (tx) => tx.putMeta('paused', true))
  })
  const target = { collection: 'advertiserLandingPages', parent: '7', key, part } as const
  await expect(pullTarget(engine, target, between)).rejects.toThrow(FaultError)
  await commits.settled()
  const rows = await store.rowKeys('advertiserLandingPages', '7')
  return { rows: rows.map((row) => parseRecordKey(row).id), brought: [...(memory.brought.get(key) ?? [])] }
}

it('keeps rows of a part only if it’s noted that they belong to it, whenever an edit before them fails', async () => {
  const found = []
  for (let ticks = 0; ticks < 40; ticks++) {
    const { rows, brought } = await readBehindFailingEdit(ticks)
    found.push(...rows.filter((id) => !brought.includes(id)))
  }
  expect(found).toEqual([])
})
