import { describe, expect, it } from 'vitest'
import { Ledger, type Sight } from './model/ledger'

const words = (...list: string[]): Set<string> => new Set(list)

const clock = { now: 0 }

function started(): { ledger: Ledger; call: (who: string, record: string, guarded: boolean, sight: Sight) => void } {
  const ledger = new Ledger(() => clock.now)
  ledger.store('tasks inbox parent', words('m1'))
  ledger.store('tasks inbox child', words('m2'))
  const call = (who: string, record: string, guarded: boolean, sight: Sight): void =>
    ledger.judge(who, { id: 'tasks.tasks.delete', record, guarded, asked: clock.now }, sight)
  call('x', 'tasks inbox parent', true, 'everything')
  return { ledger, call }
}

describe("the ledger judges a call's removals", () => {
  it('below its record', () => {
    const { ledger, call } = started()
    ledger.heard('d0', words('m1'))
    ledger.store('tasks inbox parent')
    ledger.store('tasks inbox child')
    call('d0', 'tasks inbox parent', true, { until: ledger.moment() })
    expect(ledger.overwritten).toEqual(['m2 of x by d0 (tasks.tasks.delete reached tasks inbox child)'])
  })

  it('by what its author had seen when editing, not later', () => {
    const { ledger, call } = started()
    const edited = ledger.moment()
    ledger.heard('d0', words('m1', 'm2'))
    ledger.moment()
    ledger.store('tasks inbox child')
    call('d0', 'tasks inbox child', true, { until: edited - 1 })
    expect(ledger.overwritten).toEqual(['m2 of x by d0 (tasks.tasks.delete, heard after the edit)'])
  })

  it.each<[string, Sight]>([
    ['was seen', { until: 1_000 }],
    ['someone removed who sees everything', 'everything'],
  ])('and allows removing what %s', (_what, sight) => {
    const { ledger, call } = started()
    ledger.heard('d0', words('m1', 'm2'))
    ledger.store('tasks inbox child')
    call('d0', 'tasks inbox child', true, sight)
    expect(ledger.overwritten).toEqual([])
    expect(ledger.judged).toBe(1)
  })

  it('except for what moved to another record', () => {
    const { ledger, call } = started()
    ledger.store('tasks inbox child')
    ledger.store('tasks other child', words('m2'))
    call('d0', 'tasks inbox child', true, { until: -1 })
    expect(ledger.overwritten).toEqual([])
    expect(ledger.isThere('m2')).toBe(true)
  })

  it('including what it hid', () => {
    const { ledger, call } = started()
    ledger.hide('tasks inbox child', words('m2'))
    call('d0', 'tasklists inbox', true, { until: -1 })
    expect(ledger.overwritten).toHaveLength(1)
  })

  it.each([
    ['in the second after its list was read', 0, 1_000, 1],
    ['in the second after an answer that took a while', 5_000, 6_000, 1],
    ['later', 0, 1_001, 0],
  ])('along as unavoidable only %s', (_when, took, since, unavoidable) => {
    const { ledger, call } = started()
    ledger.began('d0', 'tasks inbox')
    ledger.listed('d0', 'tasks inbox', clock.now - took)
    ledger.store('tasks inbox late', words('m3'))
    call('x', 'tasks inbox late', true, 'everything')
    ledger.store('tasks inbox late')
    clock.now += since
    call('d0', 'tasks inbox parent', true, { until: ledger.moment() })
    expect([ledger.sameSecond, ledger.overwritten.length]).toEqual([unavoidable, 1 - unavoidable])
  })

  it('along as unavoidable if it was written between two pages of its list', () => {
    const { ledger, call } = started()
    ledger.began('d0', 'tasks inbox')
    ledger.store('tasks inbox late', words('m3'))
    call('x', 'tasks inbox late', true, 'everything')
    ledger.listed('d0', 'tasks inbox', clock.now)
    ledger.store('tasks inbox late')
    call('d0', 'tasks inbox parent', true, { until: ledger.moment() })
    expect([ledger.sameSecond, ledger.overwritten]).toEqual([1, []])
  })

  it('and counts what a cached list kept from it, if that list is older than the words', () => {
    for (const isOlder of [true, false]) {
      const { ledger, call } = started()
      const before = ledger.moment()
      ledger.store('tasks inbox child', words('m2', 'm3'))
      call('x', 'tasks inbox child', true, 'everything')
      ledger.listedBefore('d0', 'tasks inbox', isOlder ? before : ledger.moment())
      ledger.store('tasks inbox child', words('m2'))
      call('d0', 'tasks inbox parent', true, { until: before })
      expect([ledger.misled, ledger.sameSecond, ledger.overwritten.length]).toEqual(isOlder ? [1, 0, 0] : [0, 0, 1])
    }
  })

  it.each(['x', 'd0'])(
    'of its own author as unavoidable only if someone else moved it there just before: %s',
    (mover) => {
      const { ledger, call } = started()
      ledger.author('m3', 'd0')
      ledger.store('tasks other own', words('m3'))
      call('d0', 'tasks other own', true, 'everything')
      ledger.heard('d0', words('m3'))
      ledger.listed('d0', 'tasks inbox', clock.now)
      ledger.store('tasks other own')
      ledger.store('tasks inbox own', words('m3'))
      call(mover, 'tasks other own', true, 'everything')
      ledger.store('tasks inbox own')
      call('d0', 'tasklists inbox', true, { until: ledger.moment() })
      expect(ledger.overwritten).toEqual([])
      expect(ledger.slippedAway('m3')).toBe(mover === 'x')
    },
  )

  it.each([
    ['its author copied from a series that keeps it', 'd0', true, 0],
    ['someone else wrote', 'x', true, 1],
    ['the series lost', 'd0', false, 1],
  ] as const)('of a word in an exception that %s', (_what, who, keeps, lost) => {
    const { ledger, call } = started()
    const [series, exception] = ['events me abcde', 'events me abcde_20260302T090000Z']
    ledger.store(series, words('m3'))
    call('x', series, true, 'everything')
    ledger.store(exception, words('m3'))
    call(who, exception, true, { until: -1 })
    if (!keeps) {
      ledger.store(series)
      call('x', series, true, 'everything')
    }
    ledger.store(exception)
    call('d0', series, true, { until: -1 })
    expect(ledger.overwritten).toHaveLength(lost)
  })

  it('and forgets what an older disk lost', () => {
    const { ledger, call } = started()
    const copied = ledger.moment()
    ledger.moment()
    ledger.heard('d0', words('m2'))
    ledger.forget('d0', copied)
    ledger.store('tasks inbox child')
    call('d0', 'tasks inbox child', true, { until: ledger.moment() })
    expect(ledger.overwritten).toHaveLength(1)
  })
})
