import { describe, expect, it } from 'vitest'
import { shareSentence } from '../../../../src-renderer/views/settings/calendars'

describe('who gains and who loses', () => {
  it('is said in words before it is saved', () => {
    expect(shareSentence('mina@x.org', null, 'reader')).toBe(
      'mina@x.org gains access: sees all events, except private ones.',
    )
    expect(shareSentence('mina@x.org', 'reader', 'writer')).toMatch(/gains: sees everything and can change events/)
    expect(shareSentence('mina@x.org', 'owner', 'freeBusyReader')).toMatch(
      /loses rights: now only sees when you’re busy/,
    )
    expect(shareSentence('mina@x.org', 'writer', null)).toMatch(/loses access/)
    expect(shareSentence('mina@x.org', 'writer', 'writer')).toBe('')
  })
})
