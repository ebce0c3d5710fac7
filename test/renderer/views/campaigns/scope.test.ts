import { describe, expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import { factsOf } from '#shared/facts/facts'
import type { JsonObject } from '#shared/json'
import { belongsTo, fieldsOfScope, narrowing, type Scope } from '../../../../src-renderer/views/campaigns/scope'

const facts = factsOf()
const advertiser = recordKey('advertisers', '7', '4')
const campaign = recordKey('campaigns', '7', '40')
const known: Record<string, JsonObject> = { [advertiser]: { id: '4' }, [campaign]: { id: '40', advertiserId: '4' } }
const peek = (key: string): { value: JsonObject } | undefined => (known[key] ? { value: known[key] } : undefined)
const within = (key?: string): Scope => ({ profile: '7', ...(key !== undefined && { within: key }) })
const narrowed = (kind: string, key?: string): unknown => narrowing(facts.of(kind), within(key), peek)

describe('a record type in a scope', () => {
  it('filters by profile, advertiser, or campaign', () => {
    expect(narrowed('placements')).toEqual({})
    expect(narrowed('placements', advertiser)).toEqual({ advertiserId: ['4'] })
    expect(narrowed('placements', campaign)).toEqual({ campaignId: ['40'] })
    expect(narrowed('campaigns', campaign)).toEqual({ id: ['40'] })
  })
  it('filters by advertiser when it has no campaign reference', () => {
    expect(narrowed('advertiserLandingPages', campaign)).toEqual({ advertiserId: ['4'] })
    expect(narrowed('advertiserLandingPages', recordKey('campaigns', '7', '41')), 'not known').toBeUndefined()
  })
  it("isn't filtered without a reference", () => {
    expect(narrowed('sizes', advertiser)).toBeUndefined()
    expect(belongsTo(facts.of('sizes'), 'advertisers')).toBe(false)
    expect(belongsTo(facts.of('placements'), 'campaigns')).toBe(true)
  })
})

describe('a new record', () => {
  const fields = (kind: string, key?: string): unknown => fieldsOfScope(facts.of(kind), within(key), peek)
  it("belongs to the scope it's created in", () => {
    expect(fields('campaigns', advertiser)).toEqual({ advertiserId: '4' })
    expect(fields('placements', campaign)).toMatchObject({ campaignId: '40' })
    expect(fields('advertiserLandingPages', campaign)).toEqual({ advertiserId: '4' })
    expect(fields('placements')).toEqual({})
  })
  it('omits fields the service fills in', () => {
    for (const kind of facts.all.filter(({ insert }) => insert))
      for (const name of Object.keys(fieldsOfScope(kind, within(campaign), peek)))
        expect(kind.table.schemas[kind.schema]!.fields[name]!.readOnly, `${kind.name}.${name}`).not.toBe(true)
  })
})
