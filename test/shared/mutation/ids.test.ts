import { describe, expect, it } from 'vitest'
import { idSource } from '#shared/mutation/ids'

const moment = Date.UTC(2026, 5, 10)
/** 0, 1, 2 … of 32, repeating. */
const counting = (from = 0): (() => number) => {
  let next = from
  return () => (next++ % 32) / 32
}

describe('generated IDs', () => {
  it('have 26 characters, time first', () => {
    const { ulid } = idSource(() => 32, counting())
    expect(ulid()).toBe('00000000100123456789ABCDEF'.slice(0, 26))
    expect(idSource(() => moment, counting()).ulid()).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/)
  })

  it('sort by creation within a millisecond and after the clock was set back', () => {
    const times = [moment, moment, moment, moment - 5_000, moment + 1]
    let at = 0
    const { ulid } = idSource(
      () => times[Math.min(at++, times.length - 1)]!,
      () => 0,
    )
    const made = Array.from({ length: 8 }, ulid)
    expect([...made].sort()).toEqual(made)
    expect(new Set(made).size).toBe(made.length)
  })

  it('increment within a millisecond', () => {
    const tails = [...Array.from({ length: 15 }, () => 0), 31]
    let at = 0
    const { ulid } = idSource(
      () => moment,
      () => tails[at++ % 16]! / 32,
    )
    const [first, second, third] = [ulid(), ulid(), ulid()]
    expect([first.slice(10), second.slice(10), third.slice(10)]).toEqual([
      '000000000000000Z',
      '0000000000000010',
      '0000000000000011',
    ])
  })

  it('are random in another millisecond', () => {
    let now = moment
    const { ulid } = idSource(() => now++, counting())
    expect([ulid().slice(10), ulid().slice(10)]).toEqual(['0123456789ABCDEF', 'GHJKMNPQRSTVWXYZ'])
  })

  it("sort after an earlier start's last one, also in the same millisecond", () => {
    const last = idSource(
      () => moment,
      () => 0,
    ).ulid()
    const next = idSource(
      () => moment,
      () => 0,
      last,
    ).ulid()
    expect(next > last).toBe(true)
    expect(next.slice(0, 10)).toBe(
      idSource(
        () => moment + 1,
        () => 0,
      )
        .ulid()
        .slice(0, 10),
    )
  })

  it('of events have allowed letters and digits', () => {
    expect(idSource(() => 0, counting()).eventId()).toBe('0123456789abcdefghijklmnop')
    expect(idSource(() => 0, counting(6)).eventId()).toBe('6789abcdefghijklmnopqrstuv')
  })
})
