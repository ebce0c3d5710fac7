import { describe, expect, it } from 'vitest'
import { fixedBy, isGuestCopy, mayInvite } from '#shared/domain/guest-rights'
import { itemFields } from '#shared/domain/calendar-item'
import type { JsonObject } from '#shared/json'

const organizer = { email: 'ben@example.com', displayName: 'Ben' }
const attendees = [
  { email: 'ben@example.com', organizer: true },
  { email: 'me@example.com', self: true },
]
const time = (hour: string) => ({ dateTime: `2026-05-04T${hour}:00:00+02:00` })
const invitation: JsonObject = { organizer, attendees, start: time('09'), end: time('10') }

describe('an event', () => {
  it.each<[string, JsonObject, 'guest' | 'locked' | undefined]>([
    ['of one’s own', { ...invitation, organizer: { ...organizer, self: true } }, undefined],
    ['without an organizer', { attendees }, undefined],
    ['to which someone else invites', invitation, 'guest'],
    ['that its guests may change', { ...invitation, guestsCanModify: true }, undefined],
    ['that was imported, whose guests are others', { organizer, attendees: attendees.slice(0, 1) }, undefined],
    ['that is locked', { locked: true }, 'locked'],
    ['to which someone else invites and that is locked', { ...invitation, locked: true }, 'guest'],
  ])('%s', (_name, event, why) => {
    expect(fixedBy(event)).toBe(why)
    expect(itemFields('id', { ...invitation, organizer: null, ...event })?.fixed).toBe(why)
  })

  it('stays with its organizer even if guests may change it', () => {
    expect(isGuestCopy({ ...invitation, guestsCanModify: true })).toBe(true)
    expect(isGuestCopy({ attendees })).toBe(false)
  })

  it('gets guests from a guest unless its organizer says otherwise', () => {
    expect(mayInvite(invitation)).toBe(true)
    expect(mayInvite({ ...invitation, guestsCanInviteOthers: false })).toBe(false)
    expect(mayInvite({ ...invitation, guestsCanInviteOthers: false, guestsCanModify: true })).toBe(true)
    expect(mayInvite({ attendees, guestsCanInviteOthers: false })).toBe(true)
  })
})
