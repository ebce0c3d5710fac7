import { expect, it, vi } from 'vitest'
import type { Account } from '#shared/ipc/account-questions'
import type { Bridge } from '#shared/ipc/contract'
import type { Coming } from '#shared/ipc/reminder-questions'
import { watchReminders } from '../../../../src-renderer/app/reminders/watch'
import { clock } from '../../../../src-renderer/clock'
import type { Replica } from '../../../../src-renderer/replica/api'

it('hands tasks over again for another zone of the computer', async () => {
  const handed: Coming[] = []
  const bridge = {
    ask: (name: string, args: Coming) => {
      if (name === 'reminders/set') handed.push(args)
      return Promise.resolve({ ok: true, value: { tasksDueAt: 540 } })
    },
    on: () => () => undefined,
  }
  const tomorrow = new Date(clock.now() + 86_400_000).toISOString().slice(0, 10)
  const task = {
    key: 'tasks\nlist\none',
    id: 'one',
    parent: 'list',
    value: { title: 'Pack', due: `${tomorrow}T00:00:00.000Z` },
  }
  const replica = {
    rows: (name: string) => (name === 'tasks' ? [task] : []),
    items: () => [],
    readAll: () => Promise.resolve(new Map()),
    subscribe: () => () => undefined,
  }
  let computerZone = 'Europe/Berlin'
  let moved = (): void => undefined
  watchReminders({
    account: { id: 'me' } as Account,
    replica: replica as unknown as Replica,
    bridge: bridge as unknown as Bridge,
    storage: { getItem: () => JSON.stringify({ zone: 'computer' }) },
    computerZone: () => computerZone,
    onzone: (listener) => {
      moved = listener
      return () => undefined
    },
  })
  const at = (): number[] => handed.map(({ reminders }) => reminders[0]!.at)
  await vi.waitFor(() => expect(handed).toHaveLength(1))
  computerZone = 'Asia/Tokyo'
  moved()
  await vi.waitFor(() => expect(handed).toHaveLength(2))
  expect(at()[1]! - at()[0]!).toBeLessThan(0)
})
