import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import {
  rolesFor,
  shareSentence,
  withPicks,
  type RolePick,
  type Share,
} from '../../../../src-renderer/views/settings/calendars'

describe('changes in calendar access', () => {
  it('are explained before saving', () => {
    expect(shareSentence('mina@x.org', null, 'reader')).toBe(
      'mina@x.org will have access, and can see all events except private ones.',
    )
    expect(shareSentence('mina@x.org', 'reader', 'writer')).toMatch(
      /will have more access, and can see and change all events/,
    )
    expect(shareSentence('mina@x.org', 'owner', 'freeBusyReader')).toMatch(
      /will have less access, and can see when you’re busy/,
    )
    expect(shareSentence('mina@x.org', 'writer', null)).toMatch(/will lose all access/)
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

describe('roles that were picked for shares', () => {
  const scope = { type: 'user', value: 'jo@x.org' }
  const share: Share = { key: 'acl/c/user:jo@x.org', who: 'jo@x.org', scope, role: 'reader', row: null }
  const pick: RolePick = { key: 'acl/c/local', role: 'writer', scope }
  const keyNow = (key: string): string => key.replace('local', 'user:jo@x.org')

  it('stay with a share that got another key when it was sent', () => {
    expect(withPicks([share], [pick], keyNow)).toEqual([{ ...share, pick }])
  })

  it('keep a share that someone else removed in the meantime', () => {
    expect(withPicks([], [pick], keyNow)).toEqual([{ ...share, role: 'none', pick }])
    expect(rolesFor({ scope, role: 'none' }).map(({ value }) => value)).toEqual([
      ...new Set(rolesFor(share).map(({ value }) => value)),
    ])
  })

  it('are forgotten if they remove a share that is gone', () => {
    expect(withPicks([], [{ ...pick, role: null }], keyNow)).toEqual([])
  })
})
