import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { factsOf } from '#shared/facts/facts'
import type { JsonObject } from '#shared/json'
import { alreadyHolds } from '#shared/merge/arrived'
import { pairEntries, withGivenKeys } from '#shared/merge/entries'
import { merge, type Merge } from '#shared/merge/merge'
import type { KeyedRule, Rules } from '#shared/merge/rules'
import { cases } from '../../helpers/ring'

const rulesFor = (schema: string): Rules => factsOf().all.find((one) => one.schema === schema)!.rules
const sites = rulesFor('Site')
const contacts = sites.of('siteContacts') as KeyedRule
const placements = rulesFor('Placement')
const events = rulesFor('Event')

const contact = (email: string, more: JsonObject = {}): JsonObject => ({ email, contactType: 'SALES_PERSON', ...more })
const mergeContacts = (base: JsonObject[], mine: JsonObject[], theirs: JsonObject[]): Merge =>
  merge(sites, { siteContacts: base }, { siteContacts: mine }, { siteContacts: theirs })

describe('a list entry', () => {
  it('is matched by ID, or by its next key without one', () => {
    const stored = [contact('new@x', { id: '1' }), contact('b@x', { id: '2' })]
    expect(pairEntries(contacts, [contact('b@x'), contact('a@x', { id: '1' })], stored)).toEqual([1, 0])
  })

  it("with an ID doesn't match another ID, even with the same next key", () => {
    expect(pairEntries(contacts, [contact('a@x', { id: '1' })], [contact('a@x', { id: '2' })])).toEqual([undefined])
  })

  it('without a key is matched by its full content', () => {
    const segments = rulesFor('Campaign').of('audienceSegmentGroups') as KeyedRule
    const stored = [
      { id: '7', name: 'Old', audienceSegments: [] },
      { id: '8', name: 'New', audienceSegments: [] },
    ]
    expect(pairEntries(segments, [{ name: 'New' }], stored)).toEqual([1])
  })

  it('saved with a key from the service has arrived', () => {
    const base = { siteContacts: [contact('a@x', { id: '1' })] }
    const written = { siteContacts: [...base.siteContacts, contact('b@x')] }
    const stored = { siteContacts: [contact('a@x', { id: '1', title: 'Dr' }), contact('b@x', { id: '2' })] }
    expect(alreadyHolds(sites, base, stored, written)).toBe(true)
  })

  it("that arrived isn't added again along with another change", () => {
    const base = [contact('a@x', { id: '1' })]
    const theirs = [contact('a@x', { id: '1', title: 'Dr' }), contact('b@x', { id: '2' })]
    const { patch, conflicts } = mergeContacts(base, [...base, contact('b@x')], theirs)
    expect([patch, conflicts]).toEqual([{}, []])
  })

  it('edited again while being sent keeps its assigned ID', () => {
    const base = [contact('a@x', { id: '1' }), contact('b@x')]
    const written = [contact('a@x', { id: '1' }), contact('b@x', { title: 'Dr' })]
    const now = [contact('a@x', { id: '1' }), contact('b@x', { id: '2' })]
    expect(withGivenKeys(contacts, base, written, now)).toEqual([
      contact('a@x', { id: '1' }),
      contact('b@x', { id: '2', title: 'Dr' }),
    ])
  })
})

describe('entries with equal keys', () => {
  const address = (url: string): JsonObject => ({ thirdPartyUrlType: 'IMPRESSION', url })
  it('keep their number when each side changes something else', () => {
    const rules = rulesFor('Creative')
    const [a, b, click] = [address('a'), address('b'), { thirdPartyUrlType: 'CLICK', url: 'c' }]
    const base = { thirdPartyUrls: [a, b] }
    const mine = { thirdPartyUrls: [address('a2'), b] }
    const { patch, conflicts } = merge(rules, base, mine, { thirdPartyUrls: [a, b, click] })
    expect([patch, conflicts]).toEqual([{ thirdPartyUrls: [address('a2'), b, click] }, []])
  })

  it('are removed only if one side did, and none is added', () => {
    const entry = fc.record({
      eventName: fc.constantFrom('one', 'two'),
      name: fc.constantFrom('exit', 'more'),
      clickThroughUrl: fc.integer({ min: 0, max: 3 }).map((customClickThroughUrl) => ({
        customClickThroughUrl: `https://${customClickThroughUrl}.example`,
      })),
    })
    const step = fc.record({
      kind: fc.constantFrom('change', 'remove', 'add', 'keep'),
      at: fc.nat({ max: 4 }),
      entry,
    })
    type Step = { kind: string; at: number; entry: JsonObject }
    const done = (list: JsonObject[], steps: Step[]): JsonObject[] =>
      steps.reduce((list, { kind, at, entry }) => {
        if (kind === 'add') return [...list, entry]
        if (kind === 'remove') return list.filter((_item, index) => index !== at)
        if (kind === 'change')
          return list.map((item, index) =>
            index === at ? { ...item, clickThroughUrl: entry['clickThroughUrl']! } : item,
          )
        return list
      }, list)
    const rules = rulesFor('Creative')
    let settled = 0
    fc.assert(
      fc.property(
        fc.array(entry, { maxLength: 5 }),
        fc.array(step, { maxLength: 2 }),
        fc.array(step, { maxLength: 2 }),
        (base, mySteps, theirSteps) => {
          const [mine, theirs] = [done(base, mySteps), done(base, theirSteps)]
          const merged = merge(rules, { clickTags: base }, { clickTags: mine }, { clickTags: theirs })
          if (merged.conflicts.length > 0) return
          settled++
          const result = (merged.patch['clickTags'] ?? theirs) as JsonObject[]
          const grown = (steps: Step[], kind: string): number => steps.filter((one) => one.kind === kind).length
          // Both may have removed or added the same entry.
          expect(result.length).toBeGreaterThanOrEqual(
            base.length - grown(mySteps, 'remove') - grown(theirSteps, 'remove'),
          )
          expect(result.length).toBeLessThanOrEqual(base.length + grown(mySteps, 'add') + grown(theirSteps, 'add'))
          expect(result.length).toBeGreaterThanOrEqual(
            Math.max(mine.length - grown(theirSteps, 'remove'), theirs.length - grown(mySteps, 'remove')),
          )
        },
      ),
      { numRuns: cases(1_000, 20_000) },
    )
    expect(settled).toBeGreaterThan(500)
  })
})

describe('the order of a list', () => {
  const [a, b, c] = ['a@x', 'b@x', 'c@x'].map((email, at) => contact(email, { id: String(at) })) as [
    JsonObject,
    JsonObject,
    JsonObject,
  ]
  it("is that of the side that changed it, with the other's edits", () => {
    const edited = { ...b, title: 'Dr' }
    expect(mergeContacts([a, b], [b, a], [a, edited])).toMatchObject({
      patch: { siteContacts: [edited, a] },
      conflicts: [],
    })
    expect(mergeContacts([a, b], [a, edited], [b, a]).patch).toEqual({ siteContacts: [edited, a] })
  })

  it('appends entries that only one side added', () => {
    expect(mergeContacts([a, b], [b, a], [a, b, c]).patch).toEqual({ siteContacts: [b, a, c] })
  })

  it('conflicts if both changed it', () => {
    expect(mergeContacts([a, b, c], [c, a, b], [b, a, c]).conflicts).toEqual(['siteContacts'])
  })

  it("counts as arrived only once it's there", () => {
    const stored = { siteContacts: [{ ...a, title: 'Dr' }, b] }
    expect(alreadyHolds(sites, { siteContacts: [a, b] }, stored, { siteContacts: [b, a] })).toBe(false)
  })
})

describe('a conflict about one entry', () => {
  it("resolves that entry and keeps the others' merge", () => {
    const guest = (email: string, comment?: string): JsonObject => ({ email, ...(comment && { comment }) })
    const base = { attendees: [guest('a@x', 'old'), guest('b@x')] }
    const mine = { attendees: [guest('a@x', 'mine'), guest('b@x')] }
    const theirs = { attendees: [guest('a@x', 'theirs'), guest('b@x', 'new'), guest('c@x')] }
    expect(merge(events, base, mine, theirs).conflicts).toEqual(['attendees'])
    expect(merge(events, base, mine, theirs, 'mine').patch).toEqual({
      attendees: [guest('a@x', 'mine'), guest('b@x', 'new'), guest('c@x')],
    })
    expect(merge(events, base, mine, theirs, 'theirs').patch).toEqual({})
  })

  it('resolves a single value outside lists', () => {
    const sides = [{ name: 'A' }, { name: 'B' }, { name: 'C' }] as const
    expect(merge(placements, ...sides, 'mine').patch).toEqual({ name: 'B' })
    expect(merge(placements, ...sides, 'theirs').patch).toEqual({})
  })
})
