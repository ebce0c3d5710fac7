import { afterAll, beforeAll, expect, it } from 'vitest'
import { recordKey, type CollectionName } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import { systemClock } from '#shared/time/clock'
import type { Change } from '../../src-renderer/replica/api'
import { rehearse } from '../../src-renderer/sync/rehearsal'
import { openWholeAccount, type OpenAccount } from '../helpers/whole-account'

let account: OpenAccount
beforeAll(async () => {
  account = await openWholeAccount()
}, 120_000)
afterAll(() => account?.close())

it('works', async () => {
  const { device, profile, service } = account
  const { replica } = device
  const rows = await replica.table('placements', { parent: profile, columns: ['name'], where: [] })
  const changes: Change[] = []
  const n = Number(process.env['N'] ?? 300)
  for (let at = 0; at < Math.min(n, rows.length); at++)
    changes.push({ kind: 'change', key: rows.key(at), patch: at % 10 === 3 ? { name: ' ' } : { comment: `C ${at}` } })
  await replica.edit(changes, { label: 'x' })
  const ids = replica.outbox().map(({ id }) => id)
  const t = systemClock.elapsed()
  const result = await rehearse(replica, device.bridge, ids)
  console.log(ids.length, 'took', systemClock.elapsed() - t, result.left.size, result.untried.size, [...result.left.values()].slice(0, 3).map((e) => e.fault ?? e.conflict ?? e.state))
  expect(replica.outbox().length).toBe(ids.length)
}, 100_000)
