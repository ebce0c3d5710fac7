import { expect, it } from 'vitest'
import { ownKey } from '#shared/mutation/fold'
import type { AppContext } from '../../../../src-renderer/context/context'
import { rulesOf } from '../../../../src-renderer/context/saved-conflict-rules'
import { Settings } from '../../../../src-renderer/context/settings.svelte'
import { addRules, ruledConflicts } from '../../../../src-renderer/views/sync/ruled-conflicts'
import { someEntry } from '../../../helpers/some-entry'

const conflictOf = (id: string) =>
  someEntry({
    id,
    collection: 'placements',
    parent: 'p',
    recordId: id,
    patch: { name: 'Mine' },
    base: { name: 'Before' },
    madeAt: 1_000,
    state: 'needsYou',
    attempts: 1,
    conflict: { remote: { name: 'Theirs' }, fields: ['name'], merged: {} },
  })
const rule = (field: string, keep: 'mine' | 'theirs') => ({ collection: 'placements', field, keep, money: false })

it('a conflict that is back after an undo is left to people, until they make a rule about it again', () => {
  const settings = new Settings({ getItem: () => null, setItem: () => undefined })
  const entries = [conflictOf('1'), conflictOf('2')]
  const app = { settings, account: { id: 'work' }, replica: { outbox: () => entries } } as unknown as AppContext
  const decided = () => ruledConflicts(app, rulesOf(app)).map(({ entry }) => entry.id)

  addRules(app, [rule('name', 'theirs')])
  const places = [{ path: 'name', base: 'Before', keep: 'theirs' as const }]
  settings.set({ ruledConflicts: { work: [{ edit: `${ownKey(entries[0]!)} 1000`, places }] } })
  expect(decided()).toEqual(['2'])

  addRules(app, [rule('comment', 'mine')])
  expect(decided()).toEqual(['2'])

  const again = [rule('name', 'mine')]
  expect(ruledConflicts(app, again, again).map(({ entry }) => entry.id)).toEqual(['1', '2'])
  addRules(app, again)
  expect(decided()).toEqual(['1', '2'])
  expect(rulesOf(app)).toEqual([rule('comment', 'mine'), rule('name', 'mine')])
})
