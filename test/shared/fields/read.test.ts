import { describe, expect, it } from 'vitest'
import { factsOf } from '#shared/facts/facts'
import { nameAt, fieldAt } from '#shared/fields/path'
import { momentText, pastMoment, readField, type FieldRead } from '#shared/fields/read'
import type { Json } from '#shared/json'
import type { Field } from '#shared/wire/table'

const facts = factsOf()
const { table } = facts.of('placements')
const context = {
  today: Date.UTC(2026, 5, 10),
  zone: 'Europe/Berlin',
  currency: 'EUR',
  find: (collection: string, name: string): string[] =>
    collection !== 'sites' ? [] : name.toLowerCase() === 'spiegel' ? ['4'] : name === 'Two' ? ['5', '6'] : [],
}
const read = (collection: string, path: string, text: string): FieldRead =>
  readField(table, nameAt(path), fieldAt(facts.of(collection), path)!, text, context)
const readAs = (field: Field, text: string, name = 'one'): FieldRead => readField(table, name, field, text, context)
const taken = (value: Json): FieldRead => ({ value })
const refused = (words: RegExp): unknown => ({ problem: expect.stringMatching(words) as string })

describe('typed input', () => {
  it('as text is trimmed and limited in length', () => {
    expect(read('placements', 'name', '  Skyscraper ')).toEqual(taken('Skyscraper'))
    expect(read('placements', 'name', 'x'.repeat(257))).toEqual(refused(/^Use at most 256 characters \(now 257\)$/))
    expect(readAs({ type: 'string', mustNotContain: ['<'] }, 'a < b')).toEqual(refused(/Can’t contain “<”/))
    expect(readAs({ type: 'string', pattern: '^[a-z]+$' }, 'A1')).toEqual(refused(/^Invalid format$/))
    expect(readAs({ type: 'string', pattern: '^[a-z]+$' }, 'ab')).toEqual(taken('ab'))
    expect(read('placements', 'comment', ' two\nlines ')).toEqual(taken(' two\nlines '))
  })
  it("when empty clears a field, unless it's required", () => {
    expect(read('placements', 'comment', '')).toEqual(taken(null))
    expect(read('placements', 'placementGroupId', '  ')).toEqual(taken(null))
    expect(read('placements', 'name', ' ')).toEqual({ problem: 'Can’t be empty' })
  })
  it('as a number accepts common formats within limits', () => {
    const number: Field = { type: 'integer', min: 1, max: 5_000 }
    for (const text of ['1234', '1,234', '1 234', "1'234", '1_234'])
      expect(readAs(number, text), text).toEqual(taken(1234))
    expect(readAs(number, '7.5')).toEqual(refused(/whole number/))
    expect(readAs(number, '0')).toEqual({ problem: 'Enter at least 1' })
    expect(readAs(number, '9999')).toEqual({ problem: 'Enter at most 5,000' })
    expect(readAs(number, 'many')).toEqual(refused(/whole number/))
    expect(readAs({ type: 'number' }, '7,5')).toEqual(taken(7.5))
    expect(readAs({ type: 'string', format: 'int64' }, '9223372036854775807')).toEqual(taken('9223372036854775807'))
  })
  it('as a choice is read with and without hyphens', () => {
    for (const text of ['In-stream video', 'In stream video', 'IN_STREAM_VIDEO', 'stream video'])
      expect(read('placements', 'compatibility', text), text).toEqual(taken('IN_STREAM_VIDEO'))
    for (const text of ['Selected sites', 'Whitelist'])
      expect(read('eventTags', 'siteFilterType', text), text).toEqual(taken('WHITELIST'))
  })
  it('as money is stored in billionths, digit by digit', () => {
    const money = (text: string): FieldRead => readAs({ type: 'string', format: 'int64' }, text, 'rateOrCostNanos')
    expect(money('12.50')).toEqual(taken('12500000000'))
    expect(money('€ 1,234.5')).toEqual(taken('1234500000000'))
    expect(money('0,000000001 €')).toEqual(taken('1'))
    expect(money('9007199254740993.000000001')).toEqual(taken('9007199254740993000000001'))
    expect(money('-0')).toEqual(taken('0'))
    expect(money('0,085')).toEqual(taken('85000000'))
    expect(money('-0,125')).toEqual(taken('-125000000'))
    expect(money('1.500,00 €')).toEqual(taken('1500000000000'))
    expect(money('1.250.000')).toEqual(taken('1250000000000000'))
    expect(money('1,250')).toEqual(taken('1250000000000'))
    expect(money('1.250')).toEqual(taken('1250000000'))
    expect(money('5 EUR')).toEqual(taken('5000000000'))
    expect(money('eur 1,234.50')).toEqual(taken('1234500000000'))
    for (const text of ['5 USD', '$5', '£ 5', '5 XX', 'EUR'])
      expect(money(text), text).toEqual(refused(/^Enter an amount/))
    expect(money('USD 5')).toEqual({ problem: 'Enter an amount in EUR' })
    const moneyIn = (currency: string, text: string): FieldRead =>
      readField(table, 'rateOrCostNanos', { type: 'string', format: 'int64' }, text, { ...context, currency })
    for (const currency of ['USD', 'CAD']) expect(moneyIn(currency, '$5')).toEqual(taken('5000000000'))
    expect(moneyIn('CHF', '$5')).toEqual({ problem: 'Enter an amount in CHF' })
    for (const text of ['1,2,3', '0,085,000', '1.2.3', '1,23.4']) expect(money(text), text).toEqual(refused(/amount/))
    expect(money('1.0000000001')).toEqual(refused(/amount/))
    expect(money('a lot')).toEqual(refused(/amount/))
    const rate = (text: string): FieldRead =>
      read('placements', 'pricingSchedule.pricingPeriods.0.rateOrCostNanos', text)
    expect(rate('-3')).toEqual({ problem: 'Enter at least 0' })
    expect(rate('1,000,000,000.01')).toEqual({ problem: 'Enter at most 1,000,000,000' })
    expect(rate('0')).toEqual(taken('0'))
  })
  it('as a date accepts words, relative to today', () => {
    expect(read('campaigns', 'startDate', '2026-07-14')).toEqual(taken('2026-07-14'))
    for (const time of [' 23:59', ' 23:59:59', 'T00:00:00.000'])
      expect(read('campaigns', 'startDate', `2026-07-14${time}`), time).toEqual(taken('2026-07-14'))
    expect(read('campaigns', 'startDate', '14 jul')).toEqual(taken('2026-07-14'))
    expect(read('campaigns', 'startDate', 'tomorrow')).toEqual(taken('2026-06-11'))
    expect(read('campaigns', 'startDate', '+3')).toEqual(taken('2026-06-13'))
    expect(read('campaigns', 'startDate', 'whenever')).toEqual(refused(/date/))
  })
  it('as a date without a year is around the past day that it replaces', () => {
    const typed = (collection: string, path: string, text: string, before: string): FieldRead =>
      readField(table, nameAt(path), fieldAt(facts.of(collection), path)!, text, {
        ...context,
        around: pastMoment(before, context.today),
      })
    const date = (text: string, before: string): FieldRead => typed('campaigns', 'startDate', text, before)
    const moment = (text: string, before: string): FieldRead => typed('ads', 'startTime', text, before)
    expect(date('12 may', '2026-05-11')).toEqual(taken('2026-05-12'))
    expect(date('12 may', '2026-06-11')).toEqual(taken('2027-05-12'))
    expect(moment('12 may 10:00', '2026-05-11T07:00:00Z')).toEqual(taken('2026-05-12T08:00:00.000Z'))
    expect(moment('12 may', '2026-06-11T07:00:00Z')).toEqual(taken('2027-05-11T22:00:00.000Z'))
  })
  it('as a timestamp has a date and local time', () => {
    expect(read('ads', 'startTime', '2026-12-01 09:30')).toEqual(taken('2026-12-01T08:30:00.000Z'))
    expect(read('ads', 'startTime', '14 jul, 9:30 pm')).toEqual(taken('2026-07-14T19:30:00.000Z'))
    expect(read('ads', 'startTime', 'tomorrow 15:00')).toEqual(taken('2026-06-11T13:00:00.000Z'))
    expect(read('ads', 'startTime', '14 jul')).toEqual(taken('2026-07-13T22:00:00.000Z'))
    expect(read('ads', 'startTime', '2026-07-14T10:00:00+02:00')).toEqual(taken('2026-07-14T08:00:00.000Z'))
    expect(read('placements', 'lastModifiedInfo.time', '2026-12-01 09:30')).toEqual(taken('1796113800000'))
    expect(readAs({ type: 'string', unit: 'epochMicros' }, '2026-12-01 09:30')).toEqual(taken('1796113800000000'))
    expect(read('ads', 'startTime', 'soon enough')).toEqual(refused(/date/))
    expect(momentText(Date.UTC(2026, 11, 1, 8, 30), 'Europe/Berlin')).toBe('2026-12-01 09:30')
    const last = Date.UTC(2026, 11, 1, 22, 59, 59)
    expect(momentText(last, 'Europe/Berlin')).toBe('2026-12-01 23:59:59')
    expect(read('ads', 'endTime', '2026-12-01 23:59:59')).toEqual(taken(new Date(last).toISOString()))
    expect(momentText(last + 7, 'Europe/Berlin')).toBe('2026-12-01 23:59:59.007')
  })
  it('as a date with a year is a day, in a field for timestamps, too', () => {
    const start = (text: string): FieldRead => read('ads', 'startTime', text)
    for (const text of ['30 Jul 2026', 'Jul 30, 2026', 'Thu 30 Jul 2026', '30-Jul-2026', '30-jul-26'])
      expect(start(text), text).toEqual(taken('2026-07-29T22:00:00.000Z'))
    for (const text of ['30 Jul 2026 20:26', '30 Jul 2026, 2026', '30-Jul-26 20:26', '30 Jul 20:26'])
      expect(start(text), text).toEqual(taken('2026-07-30T18:26:00.000Z'))
    expect(start('30 Jul 1430')).toEqual(taken('2026-07-30T12:30:00.000Z'))
    expect(start('tomorrow 2030')).toEqual(taken('2026-06-11T18:30:00.000Z'))
    for (const text of ['30-Jul-26', '30-Jul-2026', '30-july-26'])
      expect(read('campaigns', 'startDate', text), text).toEqual(taken('2026-07-30'))
    expect(read('campaigns', 'startDate', '30-Jul-26-1')).toEqual(refused(/date/))
  })
  it('as an end without a time includes the day', () => {
    const end = (text: string): FieldRead =>
      readField(table, 'endTime', fieldAt(facts.of('ads'), 'endTime')!, text, { ...context, last: true })
    for (const text of ['14 jul', '14 Jul 2026']) expect(end(text), text).toEqual(taken('2026-07-14T21:59:00.000Z'))
    expect(end('14 jul 9:30')).toEqual(taken('2026-07-14T07:30:00.000Z'))
    expect(end('14 jul 0:00')).toEqual(taken('2026-07-13T22:00:00.000Z'))
  })
  it('as an enum accepts one value or label', () => {
    const type = (text: string): FieldRead => read('placements', 'pricingSchedule.pricingType', text)
    expect(type('PRICING_TYPE_CPM')).toEqual(taken('PRICING_TYPE_CPM'))
    expect(type('cpm')).toEqual(taken('PRICING_TYPE_CPM'))
    expect(type('flat rate')).toEqual({ problem: '2 options match: “flat rate impressions” or “flat rate clicks”' })
    expect(type('barter')).toEqual({ problem: 'Choose one of the options' })
    const formats = read('placements', 'tagFormats', 'standard, Iframe javascript | javascript')
    expect(formats).toEqual(
      taken(['PLACEMENT_TAG_STANDARD', 'PLACEMENT_TAG_IFRAME_JAVASCRIPT', 'PLACEMENT_TAG_JAVASCRIPT']),
    )
    expect(readAs({ type: 'string', enum: ['7'], labels: { '7': 'Seventh' } }, 'seventh')).toEqual(taken('7'))
  })
  it('as a boolean', () => {
    for (const text of ['Yes', 'y', 'TRUE', '1', 'x']) expect(read('ads', 'active', text), text).toEqual(taken(true))
    for (const text of ['No', 'n', 'false', '0']) expect(read('ads', 'active', text), text).toEqual(taken(false))
    expect(read('ads', 'active', 'maybe')).toEqual({ problem: 'Enter yes or no' })
  })
  it('as a reference accepts an ID or a unique name', () => {
    expect(read('placements', 'siteId', '#123')).toEqual(taken('123'))
    expect(read('placements', 'siteId', 'local:7')).toEqual(taken('local:7'))
    expect(read('placements', 'siteId', 'spiegel')).toEqual(taken('4'))
    expect(read('placements', 'siteId', 'Two')).toEqual({ problem: '2 matches. Choose one' })
    expect(read('placements', 'siteId', 'Nobody')).toEqual({ problem: 'No matches' })
  })
  it('as a size has two numbers', () => {
    for (const text of ['300x250', '300 × 250', '300*250'])
      expect(read('placements', 'size', text), text).toEqual(taken({ width: 300, height: 250 }))
    expect(read('placements', 'size', '300')).toEqual(refused(/size/))
  })
  it('as a list has bars or line breaks, with each entry parsed alone', () => {
    expect(read('campaigns', 'traffickerEmails', 'a@b.example | c@d.example\ne@f.example')).toEqual(
      taken(['a@b.example', 'c@d.example', 'e@f.example']),
    )
    expect(read('eventTags', 'siteIds', 'Spiegel | 12')).toEqual(taken(['4', '12']))
    expect(read('eventTags', 'siteIds', 'Spiegel | Nobody')).toEqual({ problem: 'No matches' })
    expect(read('placements', 'additionalSizes', '300x250 | 728x90 |')).toEqual(
      taken([
        { width: 300, height: 250 },
        { width: 728, height: 90 },
      ]),
    )
    expect(read('placements', 'tagFormats', 'standard | Iframe javascript')).toMatchObject({
      value: ['PLACEMENT_TAG_STANDARD', 'PLACEMENT_TAG_IFRAME_JAVASCRIPT'],
    })
  })
  it('as an object is rejected in favor of the form', () => {
    expect(read('placements', 'pricingSchedule', 'x')).toEqual(refused(/Open the record/))
  })
})
