import { describe, expect, it } from 'vitest'
import { actionSchema, entrySchema, sendUpdatesValues } from '#shared/mutation/entry'

const entry = {
  ...{ id: '1', accountId: 'a', collection: 'events', parent: 'primary', recordId: 'e', kind: 'create', patch: {} },
  ...{ base: null, complete: true, mails: 0, dependsOn: [], group: '1', label: 'New', madeAt: 1, state: 'waiting' },
  ...{ attempts: 0, unknownOutcome: false },
}
const reads = (more: object): boolean => entrySchema.safeParse({ ...entry, ...more }).success

describe('a stored change', () => {
  it('parses in every state, kind, and notification setting', () => {
    for (const kind of ['create', 'change', 'delete', 'action']) expect([kind, reads({ kind })]).toEqual([kind, true])
    for (const state of ['waiting', 'sending', 'needsYou']) expect([state, reads({ state })]).toEqual([state, true])
    expect(sendUpdatesValues).toEqual(['all', 'externalOnly', 'none'])
    for (const sendUpdates of sendUpdatesValues) expect(reads({ sendUpdates })).toBe(true)
    for (const wrong of [{ kind: '' }, { state: '' }, { sendUpdates: '' }]) expect(reads(wrong)).toBe(false)
  })

  it.each([
    { name: 'moveEvent', destination: 'b' },
    { name: 'moveTask', parent: 'p', previous: 'q' },
    { name: 'clearCompleted' },
    { name: 'clearCalendar' },
    { name: 'importEvent' },
    { name: 'transferOwnership', newDataOwner: 'mina@example.com' },
  ])('parses with its action $name', (action) => {
    expect(actionSchema.parse(action)).toEqual(action)
    expect(actionSchema.safeParse({ ...action, name: '' }).success).toBe(false)
  })
})
