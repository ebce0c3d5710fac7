import { describe, expect, it } from 'vitest'
import { shareSentence } from '../../../../src-renderer/views/settings/calendars'

describe('changes in calendar access', () => {
  it('are explained before saving', () => {
    expect(shareSentence('mina@x.org', null, 'reader')).toBe(
      'mina@x.org gets access and sees all events, except private ones.',
    )
    expect(shareSentence('mina@x.org', 'reader', 'writer')).toMatch(
      /gets more access and sees everything and can change events/,
    )
    expect(shareSentence('mina@x.org', 'owner', 'freeBusyReader')).toMatch(/gets less access and sees when you’re busy/)
    expect(shareSentence('mina@x.org', 'writer', null)).toMatch(/loses all access/)
    expect(shareSentence('mina@x.org', 'writer', 'writer')).toBe('')
  })
})
