import { describe, expect, it } from 'vitest'
import type { ExposedBridge } from '#shared/ipc/contract'
import { bridgeOver } from '../../src-renderer/bridge'

const exposed = (answers: Record<string, unknown>): ExposedBridge =>
  ({
    clockOffset: 0,
    safeMode: false,
    ask: (name: string) => Promise.resolve(answers[name]),
    on: () => () => undefined,
  }) as unknown as ExposedBridge

describe('the window bridge', () => {
  it('parses JSON text and passes other values through', async () => {
    const page = { records: [], full: true, units: 1 }
    const bridge = bridgeOver(
      exposed({ 'sync/pull': { ok: true, value: JSON.stringify(page) }, 'app/info': { ok: true, value: 'as it is' } }),
    )
    const place = { accountId: 'a', collection: 'events' as const, parent: 'c', cursor: null, page: null }
    expect(await bridge.ask('sync/pull', place)).toEqual({ ok: true, value: page })
    expect(await bridge.ask('app/info', {})).toEqual({ ok: true, value: 'as it is' })
  })

  it('passes errors on', async () => {
    const fault = { ok: false, fault: { code: 'offline', message: 'No network' } }
    const place = { accountId: 'a', collection: 'events' as const, parent: 'c', cursor: null, page: null }
    expect(await bridgeOver(exposed({ 'sync/pull': fault })).ask('sync/pull', place)).toEqual(fault)
  })
})
