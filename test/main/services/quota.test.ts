import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { faultOf } from '#shared/fault'
import type { Quota } from '#shared/wire/quotas'
import type { ServiceName } from '#shared/wire/services'
import { QuotaKeeper, type DayCounts } from '../../../src-main/services/quota'

const noon = Date.parse('2026-06-01T12:00:00-07:00')

/** A quota keeper whose waits advance time. `ahead` shifts the wall clock. */
function keeper(kept: DayCounts = {}, limits?: Partial<Record<ServiceName, Quota>>) {
  const clock = { elapsed: 0, ahead: 0 }
  const counts: DayCounts[] = []
  const quota = new QuotaKeeper({
    clock: { now: () => noon + clock.elapsed + clock.ahead, elapsed: () => clock.elapsed },
    wait: (ms) => {
      clock.elapsed += ms
      return Promise.resolve()
    },
    limits,
    kept,
    changed: (now) => counts.push(now),
  })
  return { clock, counts, quota }
}

describe("an account's calls", () => {
  it('to trafficking are limited to one a second', async () => {
    const { clock, quota } = keeper()
    const times: number[] = []
    for (let call = 0; call < 5; call++) {
      await quota.take('trafficking', 1)
      times.push(clock.elapsed)
    }
    expect(times).toEqual([0, 1000, 2000, 3000, 4000])
  })

  it('to the calendar cost 600 units a minute, and a patch three', async () => {
    const { clock, quota } = keeper()
    for (let call = 0; call < 200; call++) await quota.take('calendar', 3)
    expect(clock.elapsed).toBe(0)
    await quota.take('calendar', 1)
    expect(clock.elapsed).toBe(60_000)
  })

  it.each(['tasks', 'trafficking'] as const)('to %s reset at midnight Pacific', (service) => {
    const day = keeper()
      .quota.budgets()
      .find((one) => one.service === service && one.per === 'day')
    expect(new Date(day!.renews).toISOString()).toBe('2026-06-02T07:00:00.000Z')
  })

  it("don't wait longer or shorter when the clock is set", async () => {
    for (const ahead of [-3_600_000, 3_600_000]) {
      const { clock, quota } = keeper()
      await quota.take('trafficking', 1)
      clock.ahead = ahead
      await quota.take('trafficking', 1)
      expect(clock.elapsed).toBe(1_000)
      expect(quota.budgets().find(({ service, per }) => service === 'trafficking' && per === 'second')).toMatchObject({
        used: 1,
        renews: noon + clock.elapsed + ahead + 1_000,
      })
    }
  })

  it('never exceed the limit in any window', async () => {
    const costs = fc.array(fc.record({ pause: fc.integer({ min: 0, max: 2_000 }), units: fc.constantFrom(1, 3) }), {
      maxLength: 60,
    })
    await fc.assert(
      fc.asyncProperty(costs, async (calls) => {
        const { clock, quota } = keeper({}, { calendar: { perMinute: 20, perSecond: 4 } })
        const sent: { at: number; units: number }[] = []
        for (const { pause, units } of calls) {
          clock.elapsed += pause
          await quota.take('calendar', units)
          sent.push({ at: clock.elapsed, units })
        }
        for (const { at } of sent) {
          const minute = sent.filter((call) => call.at <= at && call.at > at - 60_000)
          expect(minute.reduce((sum, call) => sum + call.units, 0)).toBeLessThanOrEqual(20)
          expect(sent.filter((call) => call.at <= at && call.at > at - 1_000).length).toBeLessThanOrEqual(4)
        }
      }),
    )
  })

  it('stop when the daily quota is used up and resume at midnight Pacific', async () => {
    const { clock, quota } = keeper({ tasks: { day: '2026-06-01', calls: 49_999 } })
    await quota.take('tasks', 1)
    const fault = await quota.take('tasks', 1).then(() => undefined, faultOf)
    expect(fault).toMatchObject({ code: 'quotaSpent', retryAfter: 12 * 3_600_000 })
    // A time of day would use the computer's time zone. The screen shows it in the user's.
    expect(fault?.message).not.toMatch(/\d\d:\d\d/)
    clock.elapsed += 12 * 3_600_000
    await quota.take('tasks', 1)
    expect(quota.budgets().find(({ service }) => service === 'tasks')).toMatchObject({
      per: 'day',
      used: 1,
      limit: 50_000,
    })
  })

  it('are counted over a restart', async () => {
    const first = keeper()
    for (let call = 0; call < 3; call++) await first.quota.take('trafficking', 1)
    const second = keeper(first.counts.at(-1))
    expect(second.quota.budgets().find(({ per, service }) => per === 'day' && service === 'trafficking')?.used).toBe(3)
  })

  it('stop for the day when the service says so', async () => {
    const { quota } = keeper()
    quota.daySpent('trafficking')
    expect(await quota.take('trafficking', 1).then(() => undefined, faultOf)).toMatchObject({ code: 'quotaSpent' })
  })

  it('that are canceled while waiting cost nothing', async () => {
    const { quota } = keeper({}, { trafficking: { perSecond: 1 } })
    await quota.take('trafficking', 1)
    const cancel = AbortSignal.abort()
    expect(await quota.take('trafficking', 1, cancel).then(() => undefined, faultOf)).toMatchObject({ code: 'aborted' })
    expect(quota.budgets()[0]).toMatchObject({ used: 1 })
  })

  it("to a service without limits don't wait", async () => {
    const { clock, quota } = keeper({}, {})
    for (let call = 0; call < 5_000; call++) await quota.take('calendar', 3)
    expect(clock.elapsed).toBe(0)
    expect(quota.budgets()).toEqual([])
  })
})
