import { describe, expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import { factsOf } from '#shared/facts/facts'
import { kindsOf } from '#shared/facts/kinds'
import { titleOfKind } from '../../../../src-renderer/views/campaigns/kinds'
import { RecordTree } from '../../../../src-renderer/views/campaigns/record-tree.svelte'
import { visibleNodes, type Branch, type TreeNode } from '../../../../src-renderer/views/campaigns/tree'

const facts = factsOf()
const around = [facts.of('advertisers'), facts.of('campaigns')]
const advertiser = recordKey('advertisers', '7', '4')
const campaign = recordKey('campaigns', '7', '40')
const branches: Record<string, Branch[]> = {
  'advertisers ': [
    { key: advertiser, title: 'Kessel', archived: false },
    { key: recordKey('advertisers', '7', '5'), title: 'Old', archived: true },
  ],
  [`campaigns ${advertiser}`]: [{ key: campaign, title: 'Summer', archived: false }],
}
const see = (...expanded: string[]): TreeNode[] =>
  visibleNodes({
    profiles: [
      { id: '7', title: 'Alex' },
      { id: '8', title: 'Mina' },
    ],
    around,
    kinds: kindsOf(facts),
    branches: (kind, profile, within) => (profile === '7' ? (branches[`${kind.name} ${within ?? ''}`] ?? []) : []),
    expanded: new Set(expanded),
    titleOf: titleOfKind,
  })
const below = (nodes: readonly TreeNode[], level: number): string[] =>
  nodes.filter((node) => node.level === level).map(({ title }) => title)

describe('the tree', () => {
  it('opens at what the list is inside of, or at the first profile', () => {
    const opened = (within?: string): string[] => {
      const row = { key: campaign, value: { advertiserId: '4' } }
      const replica = { facts, peek: (key: string) => (key === campaign ? row : undefined) }
      const list = {
        ...{ profiles: [{ id: '7', name: 'Alex' }], around, kinds: kindsOf(facts), titleOf: () => '' },
        ...{ app: { replica }, scope: { profile: '7', ...(within !== undefined && { within }) } },
        keyOf: (collection: 'advertisers', id: string) => recordKey(collection, '7', id),
      }
      const tree = new RecordTree(list as unknown as ConstructorParameters<typeof RecordTree>[0])
      tree.begin()
      return [...tree.expanded].sort()
    }
    expect(opened()).toEqual(['profile 7'])
    expect(opened(campaign)).toEqual([advertiser, campaign, 'profile 7'].sort())
  })

  it('starts with collapsed profiles', () => {
    expect(see().map(({ title, level, expanded, kind }) => [title, level, expanded, kind])).toEqual([
      ['Alex', 1, false, 'advertisers'],
      ['Mina', 1, false, 'advertisers'],
    ])
  })
  it('nests advertisers in profiles, campaigns in advertisers, and types in order', () => {
    const all = see('profile 7', advertiser, campaign)
    expect(below(all, 2).slice(0, 2)).toEqual(['Kessel', 'Old'])
    expect(all.find(({ title }) => title === 'Old')?.faint).toBe(true)
    expect(below(all, 3)[0]).toBe('Summer')
    expect(below(all, 3)).toContain('Landing pages')
    expect(below(all, 4)).toEqual(expect.arrayContaining(['Placements', 'Placement groups', 'Ads']))
  })
  it('groups rare types under a node without records of its own', () => {
    const folded = see('profile 7')
    const more = folded.find(({ title }) => title === 'More')!
    expect(more).toMatchObject({ fold: true, expanded: false, level: 2 })
    const open = see('profile 7', more.id)
    expect(below(open, 3)).toContain('Countries')
    expect(below(folded, 3)).toEqual([])
  })
  it('gives every node its position and count, with unique names', () => {
    const nodes = see('profile 7', advertiser, campaign, '7  more', `7 ${advertiser} more`, `7 ${campaign} more`)
    expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length)
    nodes.forEach((node, index) => {
      let at = index
      while (at > 0 && nodes[at - 1]!.level >= node.level) at -= 1
      const siblings = []
      for (; at < nodes.length && nodes[at]!.level >= node.level; at++)
        if (nodes[at]!.level === node.level) siblings.push(nodes[at])
      expect([node.place, node.of], node.title).toEqual([siblings.indexOf(node) + 1, siblings.length])
    })
  })
  it('opens on an existing record type', () => {
    const all = see('profile 7', advertiser)
    expect(all.find(({ id }) => id === advertiser)).toMatchObject({
      kind: 'campaigns',
      scope: { profile: '7', within: advertiser },
    })
    expect(all.find(({ id }) => id === campaign)).toMatchObject({ kind: 'placements', scope: { within: campaign } })
  })
})
