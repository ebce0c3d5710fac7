import { describe, expect, it } from 'vitest'
import { aroundOf } from '#shared/checks/check'
import type { OwnRule } from '#shared/checks/own-rules'
import type { Around, Checked } from '#shared/checks/rule'
import { recordKey } from '#shared/domain/collections'
import { factsOf } from '#shared/facts/facts'
import { kindsOf } from '#shared/facts/kinds'
import type { Condition } from '#shared/fields/condition'
import type { JsonObject } from '#shared/json'
import { OwnRules } from '../../../../src-renderer/views/campaigns/own-rules.svelte'
import {
  exampleRule,
  ruleColumns,
  ruleDifferences,
  ruleKinds,
  ruleNameProblem,
  rulePatternProblem,
  ruleProblem,
  runnable,
  runnables,
  undoneRules,
} from '../../../../src-renderer/views/campaigns/own-rules'

const facts = factsOf()
const kinds = kindsOf(facts)
const own: OwnRule = {
  ...{ name: 'Own', kind: 'placements', severity: 'warning', words: 'Look at this', on: true },
  when: [{ column: 'name', has: 'radio' }],
}
const value: JsonObject = {
  ...{ name: 'ACME_Radio spot', externalId: '', siteId: '12', paymentApproved: false },
  pricingSchedule: {
    ...{ startDate: '2026-06-01', endDate: '2026-06-30', pricingType: 'PRICING_TYPE_CPM' },
    pricingPeriods: [{ units: '2000000', rateOrCostNanos: '5000000000' }],
  },
}
const record = (content: JsonObject): Checked => ({
  ...{ key: recordKey('placements', '7', '3'), collection: 'placements', id: '3', value: content, base: content },
})

/** What a rule with conditions finds in a placement on 10 June. */
async function found(when: readonly Condition[], content: JsonObject = value): Promise<readonly { path: string }[]> {
  const rule = await runnable({ ...own, when }, facts.of('placements'), 'Europe/Berlin')
  return rule.find(record(content), around)
}
const site: Checked = {
  ...{ key: recordKey('sites', '7', '12'), collection: 'sites', id: '12' },
  ...{ value: { name: 'Evening News' }, base: null },
}
const around: Around = aroundOf([site], {
  ...{ today: '2026-06-10', facts: facts.of, isWhole: () => false, knowsAds: false },
})

describe('a condition of an own rule', () => {
  const [end, units, rate] = [
    'pricingSchedule.endDate',
    'pricingSchedule.pricingPeriods.0.units',
    'pricingSchedule.pricingPeriods.0.rateOrCostNanos',
  ]
  it.each<[Condition, Condition]>([
    [
      { column: 'name', has: 'spot radio' },
      { column: 'name', has: 'video' },
    ],
    [
      { column: 'name', hasNot: 'video' },
      { column: 'name', hasNot: 'RADIO' },
    ],
    [
      { column: 'name', matches: '^[A-Z]{4}_' },
      { column: 'name', matches: '^acme' },
    ],
    [
      { column: 'name', matchesNot: '_$' },
      { column: 'name', matchesNot: 'Radio' },
    ],
    [
      { column: 'name', longer: 14 },
      { column: 'name', longer: 15 },
    ],
    [
      { column: 'siteId', is: ['11', '12'] },
      { column: 'siteId', is: ['11'] },
    ],
    [
      { column: 'siteId', isNot: ['11'] },
      { column: 'siteId', isNot: ['12'] },
    ],
    [
      { column: 'siteId', has: 'news even' },
      { column: 'siteId', has: '12' },
    ],
    [
      { column: 'siteId', hasNot: 'radio' },
      { column: 'siteId', hasNot: 'news' },
    ],
    [
      { column: 'externalId', empty: true },
      { column: 'name', empty: true },
    ],
    [
      { column: 'name', empty: false },
      { column: 'comment', empty: false },
    ],
    [
      { column: end, above: '2026-06-29' },
      { column: end, above: '2026-06-30' },
    ],
    [
      { column: end, below: '2026-07-01' },
      { column: end, below: '2026-06-30' },
    ],
    [
      { column: units, above: '999999' },
      { column: units, above: '2000000' },
    ],
    [
      { column: rate, below: '10000000000' },
      { column: rate, below: '5000000000' },
    ],
    [
      { column: end, from: '2026-06-30', to: '2026-06-30' },
      { column: end, from: '2026-07-01' },
    ],
    [
      { column: 'fx.cost', above: '9999000000000' },
      { column: 'fx.cost', above: '10000000000000' },
    ],
    [
      { column: 'fx.phase', is: ['Live'] },
      { column: 'fx.phase', is: ['Ended'] },
    ],
  ])('%j holds, and %j doesn’t', async (holds, fails) => {
    expect(await found([holds])).toEqual([{ path: holds.column, words: 'Look at this' }])
    expect(await found([fails])).toEqual([])
  })

  it('on a name of a record that isn’t on this computer doesn’t hold', async () => {
    const other = { ...value, siteId: '13' }
    expect(await found([{ column: 'siteId', has: 'news' }], other)).toEqual([])
    expect(await found([{ column: 'siteId', hasNot: 'news' }], other)).toEqual([])
  })

  it('looks at the units of all prices together, and at each rate', async () => {
    const prices = [
      { units: '2000', rateOrCostNanos: '5' },
      { units: '3000', rateOrCostNanos: '9' },
    ]
    const several = {
      ...value,
      pricingSchedule: { ...(value['pricingSchedule'] as JsonObject), pricingPeriods: prices },
    }
    expect(await found([{ column: units, above: '4999' }], several)).toHaveLength(1)
    expect(await found([{ column: units, below: '5000' }], several)).toEqual([])
    expect(await found([{ column: rate, above: '8' }], several)).toHaveLength(1)
    expect(await found([{ column: rate, above: '9' }], several)).toEqual([])
  })

  it('above or below finds no empty cell', async () => {
    expect(await found([{ column: 'comment', above: 'a' }])).toEqual([])
    expect(await found([{ column: 'comment', below: 'z' }])).toEqual([])
  })

  it('holds together with all others, and marks the column of the first', async () => {
    const [has, longer]: [Condition, Condition] = [
      { column: 'externalId', empty: true },
      { column: 'name', longer: 3 },
    ]
    expect(await found([has, longer])).toMatchObject([{ path: 'externalId' }])
    expect(await found([longer, { column: 'externalId', empty: false }])).toEqual([])
  })

  it('runs a pattern that would take ages to backtrack in time linear to the text', async () => {
    const name = `${'a'.repeat(30_000)}!`
    expect(await found([{ column: 'name', matches: '^(a+)+$' }], { ...value, name })).toEqual([])
    expect(await found([{ column: 'name', matches: '(.*a){20}' }], { ...value, name })).toHaveLength(1)
  })

  it('with a pattern that can’t be read finds nothing, whether it should match or not', async () => {
    expect(await found([{ column: 'name', matches: '(' }])).toEqual([])
    expect(await found([{ column: 'name', matchesNot: '(?=x)' }])).toEqual([])
  })

  it('finds no archived records', async () => {
    expect(await found(own.when, { ...value, archived: true })).toEqual([])
  })
})

describe('an own rule', () => {
  it('applies only to columns and kinds of the account', () => {
    expect(ruleProblem(kinds, own)).toBeUndefined()
    expect(ruleProblem(kinds, exampleRule)).toBeUndefined()
    expect(ruleProblem(kinds, { ...own, when: [...own.when, { column: 'color', empty: true }] })).toBe(
      'Placements have no column “color”',
    )
    for (const kind of ['events', 'changeLogs', 'nonsense', '__proto__'])
      expect(ruleProblem(kinds, { ...own, kind })).toContain(kind)
  })

  it('can have conditions on every column that’s offered', () => {
    for (const kind of ruleKinds(kinds))
      for (const { path } of ruleColumns(kind))
        expect(ruleProblem(kinds, { ...own, kind: kind.name, when: [{ column: path, empty: true }] })).toBeUndefined()
  })

  it('can’t have a pattern that isn’t supported', async () => {
    const problem = (matches: string): Promise<string | undefined> =>
      rulePatternProblem({ when: [...own.when, { column: 'name', matches }] })
    expect(await problem('^a')).toBeUndefined()
    expect(await problem('(')).toBe('The pattern of condition 2 isn’t supported')
    expect(await problem('(a)\\1')).toBe('The pattern of condition 2 isn’t supported')
  })

  it('runs only if it’s on and applies to the account', async () => {
    const rules = [own, { ...own, name: 'Off', on: false }, { ...own, name: 'Strange', kind: 'nonsense' }]
    const ran = await runnables(rules, kinds, 'Europe/Berlin')
    expect(ran.map(({ title, severity, isOwn }) => [title, severity, isOwn])).toEqual([['Own', 'warning', true]])
  })

  it('has a name of its own', () => {
    expect(ruleNameProblem([own], ' ')).toBe('Enter a name')
    expect(ruleNameProblem([own], 'OWN')).toBe('Another rule has this name')
    expect(ruleNameProblem([own], 'OWN', 'Own')).toBeUndefined()
    expect(ruleNameProblem([own], 'x'.repeat(101))).toMatch(/at most 100/)
  })

  it('differs from another by what people can change', () => {
    expect(ruleDifferences(own, own)).toEqual([])
    expect(ruleDifferences(own, { ...own, severity: 'hint', when: [], words: '' })).toEqual([
      'severity',
      'conditions',
      'finding',
    ])
  })
})

it('undoing a change of rules keeps what was changed again since', () => {
  const [a, b, c] = ['A', 'B', 'C'].map((name) => ({ ...own, name })) as [OwnRule, OwnRule, OwnRule]
  const later = { ...b, words: 'Later' }
  const before = [a, b]
  const after = [{ ...b, words: 'New' }, c]
  expect(undoneRules(after, before, after)).toEqual(before)
  expect(undoneRules([later, c], before, after)).toEqual([a, later])
  expect(undoneRules([{ ...b, words: 'New' }], before, after)).toEqual(before)
})

describe('the rules of an account', () => {
  /** Only a newer version can read it. */
  const newer = { ...own, name: 'Newer', when: [{ column: 'name', sounds: 'x' }] }
  function open(stored: unknown) {
    const undo: (() => void)[] = []
    const settings = {
      values: { checkRules: stored },
      set: (change: { checkRules: unknown }) => Object.assign(settings.values, change),
    }
    const toasts = { show: (_text: string, { action }: { action: { run: () => void } }) => undo.push(action.run) }
    const app = { settings, account: { id: 'one' }, toasts }
    const rules = new OwnRules({ app, kinds, zone: 'Europe/Berlin' } as unknown as ConstructorParameters<
      typeof OwnRules
    >[0])
    const kept = (): unknown => settings.values.checkRules
    return { rules, kept, undo: () => undo.pop()?.() }
  }

  it('keep those of other accounts and of newer versions', () => {
    const { rules, kept } = open({ one: [newer, own, 7], two: [own] })
    expect(rules.list).toEqual([own])
    rules.remove(own)
    expect(kept()).toEqual({ one: [newer, 7], two: [own] })
  })

  it('start empty if they can’t be read', () => {
    for (const broken of [undefined, null, 7, [], { one: 'x' }]) expect(open(broken).rules.list).toEqual([])
  })

  it('take those of a file in one step, which can be undone in the dialog or later', () => {
    const { rules, undo } = open({ one: [{ ...own, on: false }] })
    const { on: _on, ...shared } = own
    rules.import([
      { ...shared, severity: 'error' },
      { ...shared, name: 'A' },
    ])
    const after = [
      { ...own, name: 'A' },
      { ...own, severity: 'error', on: false },
    ]
    expect(rules.list).toEqual(after)
    rules.tell()
    expect(rules.last).toBeNull()
    undo()
    expect(rules.list).toEqual([{ ...own, on: false }])
    rules.import([{ ...shared, name: 'A' }])
    rules.last!.undo()
    expect(rules.list).toEqual([{ ...own, on: false }])
    expect(rules.last).toBeNull()
  })

  it('take those of a file only if there’s room for all', () => {
    const named = (count: number): OwnRule[] => Array.from({ length: count }, (_, at) => ({ ...own, name: `R${at}` }))
    const { rules, kept } = open({ one: named(99) })
    const before = kept()
    const { on: _on, ...shared } = own
    const changed = { ...shared, name: 'R1', words: 'Other' }
    const two = [changed, { ...shared, name: 'A' }, { ...shared, name: 'B' }]
    expect(rules.importProblem(two)).toBe('You can have up to 100 rules. To import these, delete 1 of your rules')
    rules.import(two)
    expect([kept(), rules.last]).toEqual([before, null])
    expect(rules.importProblem(two.slice(0, 2))).toBeUndefined()
    rules.import(two.slice(0, 2))
    expect(rules.list).toHaveLength(100)
  })
})
