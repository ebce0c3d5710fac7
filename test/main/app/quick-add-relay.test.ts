import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Announcements } from '#shared/ipc/contract'
import { QuickAddRelay } from '../../../src-main/app/quick-add-relay'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const item = { kind: 'task', list: 'list', title: 'Call Mina', due: null } as const
const busy = 'Flightplan is busy and is still adding this. To check again, press Enter.'
const asked: Announcements['quick-add/add'][] = []
let relay: QuickAddRelay
beforeEach(() => {
  asked.length = 0
  relay = new QuickAddRelay((one) => asked.push(one))
})
const submit = (line = 'Call Mina'): Promise<string> => relay.submit('me', line, item)
const late = async (line?: string): Promise<string> => {
  const said = submit(line)
  await vi.advanceTimersByTimeAsync(20_000)
  return said
}

describe('a line that the main window adds late', () => {
  it('is added once, whether it’s sent again before or after that', async () => {
    expect(await late()).toBe(busy)
    const again = submit()
    relay.added(asked[0]!.id, '')
    expect(await again).toBe('')
    expect(asked).toHaveLength(1)

    expect(await late()).toBe(busy)
    relay.added(asked[1]!.id, '')
    expect(await submit()).toBe('')
    expect(asked).toHaveLength(2)
  })

  it('says why it wasn’t added, and is then added by the next attempt', async () => {
    await late()
    relay.added(asked[0]!.id, 'Your disk is full.')
    expect(await submit()).toBe('Your disk is full.')
    const again = submit()
    relay.added(asked[1]!.id, '')
    expect(await again).toBe('')
  })

  it('keeps no other line from being added', async () => {
    await late()
    const other = submit('Call Priya')
    relay.added(asked[1]!.id, '')
    expect(await other).toBe('')
  })

  it('can be added again after the main window is gone', async () => {
    await late('Call Priya')
    const waiting = submit()
    relay.gone()
    expect(await waiting).toMatch(/^Flightplan was reloaded\./)
    void submit('Call Priya')
    expect(asked).toHaveLength(3)
  })
})
