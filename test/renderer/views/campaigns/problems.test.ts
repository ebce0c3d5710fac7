import { describe, expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import { factsOf } from '#shared/facts/facts'
import type { Row } from '../../../../src-renderer/replica/api'
import { judgingOf, problemsOf } from '../../../../src-renderer/views/campaigns/problems'

const campaigns = factsOf().of('campaigns')
const judging = { now: 0, context: { zone: 'UTC', hour12: false, today: 0 }, base: null }
const whole = { id: 'local:1', name: 'Summer', advertiserId: '4', startDate: '2026-06-10', endDate: '2026-07-10' }

describe('problems of a new record', () => {
  it('include missing fields, with their path', () => {
    const found = problemsOf(campaigns, { id: 'local:1', name: 'Summer' }, false, judging)
    expect(found).toEqual(expect.arrayContaining([{ path: 'startDate', words: '“Start date” is missing' }]))
    expect(found.map(({ path }) => path)).toContain('advertiserId')
  })
  it('include invalid values, in plain words', () => {
    const [found] = problemsOf(campaigns, { ...whole, name: 'x'.repeat(600) }, false, judging)
    expect(found).toEqual({ path: 'name', words: '“Name” may have at most 255 characters' })
    const text = problemsOf(campaigns, { ...whole, startDate: 'soon' }, false, judging).map(({ words }) => words)
    expect(text).toContain('“Start date” has an invalid value')
  })
  it('name fields by their headings, also those that would do instead', () => {
    const words = problemsOf(factsOf().of('placements'), { id: 'local:1' }, false, judging).map((one) => one.words)
    expect(words).toContain('“Directory site” or “Site” is missing')
    expect(words.join('\n')).not.toMatch(/[a-z][A-Z]/)
  })
  it('exclude values the service already has', () => {
    expect(problemsOf(campaigns, { id: '1' }, true, { ...judging, base: { id: '1' } })).toEqual([])
  })
  it('exclude references to other new records', () => {
    const record = { ...whole, advertiserId: 'local:2', creativeGroupIds: ['local:3', 'x'] }
    expect(problemsOf(campaigns, record, false, judging).map(({ words }) => words)).toEqual([
      '“Creative groups” has an invalid value',
    ])
  })
  it('include what only an insert needs', () => {
    const words = (value: object): string[] =>
      problemsOf(factsOf().of('sizes'), { id: 'local:1', ...value }, false, judging).map((one) => one.words)
    expect(words({ height: 250 })).toEqual(['“Width” is missing'])
    expect(words({ width: 300, height: 250 })).toEqual([])
  })
  it('are limited in number', () => {
    const tags = Array.from({ length: 30 }, () => 'NONE')
    const found = problemsOf(factsOf().of('placements'), { id: 'local:1', tagFormats: tags }, false, judging)
    expect(found.length).toBeLessThanOrEqual(8)
  })
})

describe('a name that must be unique', () => {
  const words = (value: object, base: object | null, ...others: object[]): string[] =>
    wordsAmong(value, base, ...others.map((other) => ({ value: other })))
  const wordsAmong = (value: object, base: object | null, ...others: { value: object; base?: object }[]): string[] => {
    const row = {
      key: recordKey('campaigns', '7', '1'),
      collection: 'campaigns',
      parent: '7',
      value,
      base,
    } as unknown as Row
    const rows = (): unknown[] => [row, ...others.map((other, at) => ({ key: `other ${at}`, ...other }))]
    const app = { replica: { facts: factsOf(), rows, peek: () => undefined }, clock: { now: 0 } }
    const model = { app, context: judging.context } as unknown as Parameters<typeof judgingOf>[0]
    return problemsOf(campaigns, row.value!, base !== null, judgingOf(model, row)).map((one) => one.words)
  }
  const taken = ['Another campaign already has this name']
  it('is a problem if another record has it, whether new or renamed', () => {
    expect(words(whole, null, { name: 'Summer', advertiserId: '4' })).toEqual(taken)
    expect(
      words({ ...whole, id: '1' }, { ...whole, id: '1', name: 'Spring' }, { name: 'Summer', advertiserId: '4' }),
    ).toEqual(taken)
  })
  it('is none among records of another owner, or if the service has it already', () => {
    expect(words(whole, null, { name: 'Summer', advertiserId: '5' }, { name: 'Spring', advertiserId: '4' })).toEqual([])
    expect(words({ ...whole, id: '1' }, { ...whole, id: '1' }, { name: 'Summer', advertiserId: '4' })).toEqual([])
  })
  it('is a problem if records exchange it, directly or in a circle, because no order of sending works', () => {
    const named = (name: string): typeof whole => ({ ...whole, name })
    const [a, b, c] = [named('Spring'), named('Summer'), named('Autumn')]
    const exchanged = [expect.stringContaining('This campaign and another one take each other’s name') as string]
    expect(wordsAmong(b, a, { value: a, base: b })).toEqual(exchanged)
    expect(wordsAmong(b, a, { value: c, base: b }, { value: a, base: c })).toEqual(exchanged)
    expect(wordsAmong(b, a, { value: c, base: b }), 'a chain').toEqual([])
    // Another one gets its name from an exchange that this one isn’t part of.
    expect(wordsAmong(b, named('Winter'), { value: c, base: b }, { value: b, base: c })).toEqual(taken)
    expect(wordsAmong(b, a, { value: { ...a, advertiserId: '5' }, base: { ...b, advertiserId: '5' } })).toEqual([])
  })
})
