import { expect, it } from 'vitest'
import { recordKey, type CollectionName } from '#shared/domain/collections'
import { factsOf } from '#shared/facts/facts'
import { ListedRecords } from '../../../../src-renderer/views/campaigns/listed-records.svelte'
import type { Scope } from '../../../../src-renderer/views/campaigns/scope'

const facts = factsOf()
const placement = (id: string): string => recordKey('placements', '7', id)
const campaign = (id: string): string => recordKey('campaigns', '7', id)
/** Placement 1 is in campaign 20, and placement 2 in campaign 21. */
const campaigns: Readonly<Record<string, string>> = { [placement('1')]: '20', [placement('2')]: '21' }

/** Limits a list that shows `scope` to some placements. */
function shown(keys: readonly string[], scope: Scope): unknown {
  const replica = {
    facts,
    realKey: (key: string) => key,
    peek: () => undefined,
    peekField: (key: string, path: string) => (path === 'campaignId' ? campaigns[key] : undefined),
    outbox: () => [],
  }
  const list = {
    app: { replica },
    kind: facts.of('campaigns'),
    scope,
    state: 'living',
    clearFilters: () => undefined,
    show: (kind: CollectionName, to: Scope) => Object.assign(list, { kind: facts.of(kind), scope: to }),
  }
  const listed = new ListedRecords(list as never)
  listed.show(keys, 'Some')
  return [list.scope.within, listed.words, listed.ids]
}

it('listed records stay in the campaign that is shown, unless others have some of them', () => {
  const inside = { profile: '7', within: campaign('20') }
  expect(shown([placement('1')], inside)).toEqual([campaign('20'), 'Some', '1'])
  expect(shown([placement('1'), placement('2')], inside)).toEqual([undefined, 'Some', '1 2'])
  expect(shown([placement('1')], { profile: '7' })).toEqual([undefined, 'Some', '1'])
  expect(shown([placement('1')], { profile: '8', within: recordKey('campaigns', '8', '20') })).toEqual([
    ...[undefined, 'Some', '1'],
  ])
})
