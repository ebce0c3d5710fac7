import { describe, expect, it } from 'vitest'
import { factsOf } from '#shared/facts/facts'
import type { Collection } from '#shared/facts/collection'
import type { Json, JsonObject } from '#shared/json'
import { rebase } from '../../../src-renderer/replica/rebase'

type Edit = { value: Json } | { add: Json } | { remove: Json }

const facts = factsOf()
const ads = facts.of('ads')
const placements = facts.of('placements')
const campaigns = facts.of('campaigns')

const ad = (...creatives: [id: string, weight?: number][]): JsonObject => ({
  id: '1',
  creativeRotation: {
    creativeAssignments: creatives.map(([creativeId, weight]) => ({ creativeId, ...(weight && { weight }) })),
  },
})
/** Rebases an edit whose author saw a record. Returns the patch, or the current value if it would replace a change. */
const rebaseEdit = (
  of: Collection,
  record: JsonObject,
  path: string,
  edit: Edit,
  now: JsonObject,
): { patch: JsonObject } | { now: Json | undefined } => {
  const { patch, left } = rebase(of, { edits: [{ path, ...edit }], upon: { seq: 1, record } }, now, 2)
  return left.length > 0 ? { now: left[0]!.now } : { patch }
}
const list = 'creativeRotation.creativeAssignments'
const after = (seen: JsonObject, path: string, edit: Edit, now: JsonObject): unknown => {
  const laid = rebaseEdit(ads, seen, path, edit, now)
  if ('now' in laid) return 'changed'
  const rotation = laid.patch['creativeRotation'] as { creativeAssignments: JsonObject[] } | undefined
  return rotation?.creativeAssignments.map(({ creativeId, weight }) => (weight ? [creativeId, weight] : [creativeId]))
}

describe('rebasing an edit', () => {
  it('applies it when nothing else changed', () => {
    const seen = { name: 'A', externalId: 'x' }
    expect(rebaseEdit(placements, seen, 'externalId', { value: 'y' }, { ...seen, name: 'B' })).toEqual({
      patch: { externalId: 'y' },
    })
  })

  it("rejects it over unseen changes, unless they're equal", () => {
    const [seen, now] = [{ externalId: 'x' }, { externalId: 'z' }]
    expect(rebaseEdit(placements, seen, 'externalId', { value: 'y' }, now)).toEqual({ now: 'z' })
    expect(rebaseEdit(placements, seen, 'externalId', { value: 'z' }, now)).toEqual({ patch: {} })
    expect(rebaseEdit(placements, {}, 'externalId', { value: 'y' }, now)).toEqual({ now: 'z' })
    expect(rebaseEdit(placements, seen, 'externalId', { value: 'y' }, {})).toEqual({ now: undefined })
  })

  it('merges text by words', () => {
    const comment = 'one two three'
    const edit = { value: 'one two three four' }
    expect(rebaseEdit(campaigns, { comment }, 'comment', edit, { comment: 'zero one two three' })).toEqual({
      patch: { comment: 'zero one two three four' },
    })
  })

  it('adds once to the current list', () => {
    const seen = { tagFormats: ['A'] }
    const now = { tagFormats: ['A', 'B'] }
    expect(rebaseEdit(placements, seen, 'tagFormats', { add: 'C' }, now)).toEqual({
      patch: { tagFormats: ['A', 'B', 'C'] },
    })
    expect(rebaseEdit(placements, seen, 'tagFormats', { add: 'B' }, now)).toEqual({ patch: {} })
    expect(after(ad(['7']), `${list}.1.creativeId`, { value: '9' }, ad(['7'], ['8']))).toEqual([['7'], ['8'], ['9']])
  })

  it('removes the seen entry from the current list', () => {
    const now = { tagFormats: ['B', 'A'] }
    expect(rebaseEdit(placements, { tagFormats: ['A'] }, 'tagFormats', { remove: 'A' }, now)).toEqual({
      patch: { tagFormats: ['B'] },
    })
    expect(rebaseEdit(placements, { tagFormats: ['A'] }, 'tagFormats', { remove: 'A' }, { tagFormats: ['B'] })).toEqual(
      {
        patch: {},
      },
    )
    expect(after(ad(['7'], ['8']), list, { remove: { creativeId: '8' } }, ad(['6'], ['7'], ['8']))).toEqual([
      ['6'],
      ['7'],
    ])
  })

  it('asks before it removes an entry that someone changed', () => {
    expect(after(ad(['7', 1]), list, { remove: { creativeId: '7', weight: 1 } }, ad(['7', 5]))).toBe('changed')
  })

  it('finds the seen entry at any position', () => {
    const seen = ad(['7', 1], ['8', 1])
    expect(after(seen, `${list}.1.weight`, { value: 4 }, ad(['6', 1], ['7', 1], ['8', 1]))).toEqual([
      ['6', 1],
      ['7', 1],
      ['8', 4],
    ])
    expect(after(seen, `${list}.1.weight`, { value: 4 }, ad(['8', 1]))).toEqual([['8', 4]])
  })

  it('edits an entry that changed elsewhere, and asks if the same field changed', () => {
    const seen = ad(['7', 1], ['8', 1])
    const now = ad(['7', 1], ['8', 1])
    const [, entry] = (now['creativeRotation'] as { creativeAssignments: JsonObject[] }).creativeAssignments
    entry!['sequence'] = 3
    expect(after(seen, `${list}.1.weight`, { value: 4 }, now)).toEqual([
      ['7', 1],
      ['8', 4],
    ])
    expect(after(seen, `${list}.1.weight`, { value: 4 }, ad(['7', 1], ['8', 9]))).toBe('changed')
    expect(after(seen, `${list}.1.weight`, { value: 4 }, ad(['7', 1]))).toBe('changed')
  })
})
