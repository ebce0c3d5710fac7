import { describe, expect, it } from 'vitest'
import type { OwnRule } from '#shared/checks/own-rules'
import { compareRules, readRules, shared, writeRules, type SharedRule } from '#shared/checks/rules-file'

const rule: SharedRule = {
  name: 'Names start with the client',
  kind: 'placements',
  severity: 'warning',
  when: [
    { column: 'name', matchesNot: '^[A-Z]{3}_' },
    { column: 'pricingSchedule.endDate', above: '2026-06-01' },
    { column: 'comment', empty: true },
  ],
  words: 'The name doesn’t start with the client',
}
const file = (rules: unknown, more = {}): string =>
  JSON.stringify({ format: 'flightplan-check-rules', version: 1, rules, ...more })
const read = (text: string): ReturnType<typeof readRules> => readRules(text, () => undefined)
const problemsOf = (rules: unknown): readonly string[] => read(file(rules)).problems

describe('a file of rules', () => {
  it('brings back what was saved', () => {
    const own: OwnRule[] = [
      { ...rule, on: false },
      { ...rule, name: 'Other', severity: 'error', on: true },
    ]
    expect(read(writeRules(own.map(shared)))).toEqual({ rules: own.map(shared), problems: [] })
    expect(read(`\uFEFF${writeRules([rule])}`).rules).toEqual([rule])
  })

  it('says why it can’t be read at all', () => {
    expect(read('{\n "format": "flightplan-check-rules",\n oops').problems).toEqual(['Line 3: This isn’t valid JSON'])
    expect(read('').problems).toEqual(['Line 1: This isn’t valid JSON'])
    for (const other of ['7', 'null', '[]', '{}', '{"format":"other","version":1,"rules":[]}', '{"version":1}'])
      expect(read(other).problems).toEqual(['This file doesn’t contain custom rules'])
    expect(read(file([rule], { version: 2 })).problems[0]).toMatch(/newer version/)
    expect(read(file([rule], { version: 0 })).problems).toEqual(['This file has an unknown version'])
    expect(read(file([])).problems).toEqual(['This file contains no rules'])
    expect(read(file(Array(101).fill(rule))).problems[0]).toMatch(/101 rules/)
    expect(read(file([rule], { version: 2 })).rules).toEqual([])
  })

  it('names each rule that can’t be read, and brings the others', () => {
    const { rules, problems } = read(
      file([
        { ...rule, severity: 'fatal' },
        rule,
        7,
        {
          ...rule,
          name: 'B',
          when: [
            { column: 'name', has: 'x' },
            { column: 'name', like: 'x' },
          ],
        },
        { ...rule, name: 'C', script: 'alert()' },
        { ...rule, name: ' names START with the client' },
        { ...rule, name: '' },
      ]),
    )
    expect(rules).toEqual([rule])
    expect(problems).toEqual([
      'Rule 1, “Names start with the client”: “severity” is missing or can’t be read',
      'Rule 3: Can’t be read',
      'Rule 4, “B”: Condition 2 can’t be read',
      'Rule 5, “C”: Unknown field “script”',
      'Rule 6, “names START with the client”: Another rule has this name',
      'Rule 7: “name” is missing or can’t be read',
    ])
  })

  it('can’t hold texts, lists, or numbers out of bounds', () => {
    const long = 'x'.repeat(2_000)
    for (const bad of [
      { ...rule, name: long },
      { ...rule, words: long },
      { ...rule, when: [] },
      { ...rule, when: Array(21).fill(rule.when[0]) },
      { ...rule, when: [{ column: 'name', matches: long }] },
      { ...rule, when: [{ column: long, empty: true }] },
      { ...rule, when: [{ column: 'name', longer: -1 }] },
      { ...rule, when: [{ column: 'name', longer: 1.5 }] },
      { ...rule, when: [{ column: 'name', is: [7] }] },
      { ...rule, kind: undefined },
    ])
      expect(problemsOf([bad])).toHaveLength(1)
  })

  it('says why a rule doesn’t fit the account', () => {
    const { rules, problems } = readRules(file([rule]), () => 'Placements have no column “x”')
    expect(rules).toEqual([])
    expect(problems).toEqual(['Rule 1, “Names start with the client”: Placements have no column “x”'])
  })

  it('is compared with the rules of the account by name', () => {
    const known: OwnRule[] = [
      { ...rule, on: false },
      { ...rule, name: 'Other', on: true },
    ]
    const other = { ...rule, name: 'OTHER', severity: 'error' as const }
    const fresh = { ...rule, name: 'Third' }
    expect(compareRules(known, [rule, other, fresh])).toEqual({
      same: [rule],
      changed: [{ rule: other, before: known[1] }],
      added: [fresh],
    })
  })
})
