import { expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import type { OutboxEntry } from '#shared/mutation/entry'
import { ConflictSelection } from '../../../../src-renderer/views/sync/conflict-selection.svelte'
import { someEntry } from '../../../helpers/some-entry'

const conflictOf = (id: string, mine: string, theirs: string): OutboxEntry =>
  someEntry({
    id,
    collection: 'placements',
    parent: 'p',
    recordId: id,
    patch: { externalId: mine },
    base: { externalId: 'PL-1' },
    madeAt: 1_000,
    state: 'needsYou',
    attempts: 1,
    conflict: { remote: { externalId: theirs } as JsonObject, fields: ['externalId'], merged: {} },
  })
const first = conflictOf('1', 'Mine', 'Hers')
const late = conflictOf('2', 'Mine', 'Hers')

it('selects conflicts that are listed from the start, and none that arrives later', () => {
  const selection = new ConflictSelection([first])
  expect([selection.has(first), selection.isNew(first)]).toEqual([true, false])
  expect([selection.has(late), selection.isNew(late)]).toEqual([false, true])
  selection.set(late, true)
  expect([selection.has(late), selection.isNew(late)]).toEqual([true, false])
  selection.set(late, false)
  expect([selection.has(late), selection.isNew(late)]).toEqual([false, false])
})

it('deselects a conflict whose other side changes again, but not for an edit of your own', () => {
  const selection = new ConflictSelection([first])
  const again = conflictOf('1', 'Mine', 'Hers again')
  expect([selection.has(again), selection.isNew(again)]).toEqual([false, true])
  expect(selection.has(conflictOf('1', 'Mine again', 'Hers'))).toBe(true)
  selection.set(again, true)
  const third = conflictOf('1', 'Mine', 'Hers, the third time')
  expect([selection.has(third), selection.isNew(third)]).toEqual([false, true])
})
