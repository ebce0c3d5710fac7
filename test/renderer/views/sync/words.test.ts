import { describe, expect, it } from 'vitest'
import type { OutboxEntry } from '#shared/mutation/entry'
import { howWords } from '../../../../src-renderer/views/sync/words'

const entry = (more: Partial<OutboxEntry> = {}): OutboxEntry => ({
  id: 'a',
  accountId: 'one',
  collection: 'events',
  parent: 'c',
  recordId: 'e',
  kind: 'change',
  patch: { summary: 'Mine' },
  base: { summary: 'Before' },
  complete: true,
  mails: 0,
  dependsOn: [],
  group: '',
  label: 'Change it',
  madeAt: 0,
  state: 'waiting',
  attempts: 0,
  unknownOutcome: false,
  ...more,
})
const conflict = (remote: { summary: string } | null) => ({ remote, fields: ['summary'], merged: {} })

describe('how an entry ended', () => {
  it('is a merge only where nobody had to decide', () => {
    expect(howWords({ how: 'merged', entry: entry() })).toBe('Merged')
    expect(howWords({ how: 'confirmed', entry: entry() })).toBe('Sent')
    expect(howWords({ how: 'withdrawn', entry: entry() })).toBe('Withdrawn')
  })
  it('says what was decided', () => {
    const theirs = { summary: 'Theirs' }
    expect(howWords({ how: 'merged', entry: entry({ conflict: conflict(theirs) }) })).toBe('Theirs kept')
    expect(howWords({ how: 'merged', entry: entry({ kind: 'delete', conflict: conflict(theirs) }) })).toBe('Kept')
    expect(howWords({ how: 'merged', entry: entry({ conflict: conflict(null) }) })).toBe('Let go')
  })
})
