import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import { rolesFor, shareSentence } from '../../../../src-renderer/views/settings/calendars'

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

describe('roles to choose from', () => {
  const labels = (scope: JsonObject, role: string): string[] => rolesFor({ scope, role }).map(({ label }) => label)
  it('include the present one', () => {
    expect(labels({ type: 'user' }, 'writerWithoutPrivateAccess')).toEqual([
      'See only free/busy',
      'See all details',
      'Change events',
      'Change and share',
      'Change events, except private ones',
      'No access',
    ])
  })
  it('let no one give the whole world more than reading', () => {
    expect(labels({ type: 'default' }, 'reader')).toEqual(['See only free/busy', 'See all details', 'No access'])
    expect(labels({ type: 'default' }, 'writer')).toContain('Change events')
  })
})
