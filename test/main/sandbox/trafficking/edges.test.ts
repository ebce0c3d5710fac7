import { describe, expect, it } from 'vitest'
import { traffic } from './world'
import { matchesWildcard } from '../../../../src-main/sandbox/wildcards'

describe('trafficking edge cases', () => {
  it('blank names are missing names', async () => {
    const { patch, insert, ids } = await traffic()
    const refused = [
      await insert('advertisers', { name: '', status: 'APPROVED' }),
      await insert('advertisers', { name: ' \u00a0', status: 'APPROVED' }),
      await patch('campaigns', ids.campaignId!, { name: '' }),
    ]
    expect(refused.map(({ status, reason, location }) => [status, reason, location])).toEqual(
      refused.map(() => [400, 'required', 'name']),
    )
  })

  it('clearing a field with a default restores the default', async () => {
    const { patch, ids } = await traffic()
    await patch('campaigns', ids.campaignId!, { archived: true })
    expect((await patch('campaigns', ids.campaignId!, { archived: null })).body.archived).toBe(false)
  })

  it('a write without a change leaves no change log entry', async () => {
    const { list, get, update, make, ids } = await traffic()
    const { id } = await make('Creative', 'creatives')
    const count = async (): Promise<number> => (await list('changeLogs')).body.changeLogs.length
    const before = await count()
    for (const [collection, one] of [
      ['creatives', id],
      ['accountUserProfiles', ids.profileId!],
    ] as const)
      expect((await update(collection, (await get(collection, one)).body)).status).toBe(200)
    expect(await count()).toBe(before)
  })

  it('a page size of zero means the default', async () => {
    const { list } = await traffic()
    expect((await list('campaigns', { maxResults: 0 })).body.campaigns).toHaveLength(1)
  })

  it.each(['__proto__', 'constructor', 'toString'])('the parameter %s is as unknown as any other', async (name) => {
    const { list } = await traffic()
    const { status, location } = await list('campaigns', { [name]: 1 })
    expect([status, location]).toEqual([400, name])
  })

  it("a search with many wildcards isn't slower", async () => {
    const { insert, list } = await traffic()
    await insert('advertisers', { name: 'a'.repeat(255), status: 'APPROVED' })
    const found = await list('advertisers', { searchString: `${'a*'.repeat(60)}b` })
    expect(found.body.advertisers).toEqual([])
    expect((await list('advertisers', { searchString: 'A*A*a' })).body.advertisers).toHaveLength(1)
  })

  it('a time without an offset is UTC, wherever the sandbox runs', async () => {
    const { list, insert } = await traffic()
    await insert('advertisers', { name: 'A', status: 'APPROVED' })
    const zone = process.env.TZ
    try {
      for (const one of ['Pacific/Apia', 'America/Los_Angeles', 'UTC']) {
        process.env.TZ = one
        const count = async (minChangeTime: string): Promise<number> =>
          (await list('changeLogs', { minChangeTime })).body.changeLogs.length
        expect(await count('2026-05-20T08:59:59')).toBeGreaterThan(0)
        expect(await count('2026-05-20T09:00:01')).toBe(0)
      }
    } finally {
      if (zone === undefined) delete process.env.TZ
      else process.env.TZ = zone
    }
  })

  it("a role can't be its own ancestor", async () => {
    const { list, insert, patch } = await traffic()
    const [built] = (await list('userRoles')).body.userRoles
    const upper = (await insert('userRoles', { name: 'Upper', parentUserRoleId: built.id })).body
    const lower = (await insert('userRoles', { name: 'Lower', parentUserRoleId: upper.id })).body
    for (const parentUserRoleId of [upper.id, lower.id]) {
      const { status, location } = await patch('userRoles', upper.id, { parentUserRoleId })
      expect([status, location]).toEqual([400, 'parentUserRoleId'])
    }
  })

  it.each([
    ['*', '', true],
    ['a*b', 'ab', true],
    ['a*a', 'a', false],
    ['*b*', 'abc', true],
    ['a*bc*bc', 'abcbc', true],
    ['a*bc*bc', 'abc', false],
    ['a.c', 'abc', false],
    ['abc', 'abc', true],
  ])('%j as a pattern of %j: %s', (pattern, text, expected) => {
    expect(matchesWildcard(pattern, text)).toBe(expected)
  })
})
