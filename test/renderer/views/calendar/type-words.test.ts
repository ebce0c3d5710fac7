import { describe, expect, it } from 'vitest'
import { placeAt, placeName, typeLine } from '../../../../src-renderer/views/calendar/type-words'

const office = {
  type: 'officeLocation',
  officeLocation: { label: 'HQ', buildingId: 'B1', floorId: '3', deskId: '12' },
} as const

describe('an event of a special type', () => {
  it('says what it is', () => {
    expect(typeLine({ summary: 'Lunch' })).toBeUndefined()
    expect(typeLine({ eventType: 'focusTime', focusTimeProperties: { autoDeclineMode: 'declineNone' } })).toBe(
      'Focus time',
    )
    expect(
      typeLine({
        eventType: 'outOfOffice',
        outOfOfficeProperties: {
          autoDeclineMode: 'declineAllConflictingInvitations',
          declineMessage: 'Back on Monday',
        },
      }),
    ).toBe('Out of office, declines conflicting invitations: “Back on Monday”')
    const place = { eventType: 'workingLocation', workingLocationProperties: office } as const
    expect(typeLine({ ...place, summary: 'Office' })).toBe('Working location: HQ, building B1, floor 3, desk 12')
    expect(typeLine({ ...place, summary: 'Home', workingLocationProperties: { type: 'homeOffice' } })).toBe(
      'Working location',
    )
  })
  it('keeps building, floor, and desk when its office gets another name', () => {
    const renamed = placeAt(office, 'officeLocation', 'Head office')
    expect(renamed).toEqual({ ...office, officeLocation: { ...office.officeLocation, label: 'Head office' } })
    expect(placeName(renamed)).toBe('Head office')
    expect(placeAt(office, 'customLocation', 'HQ')).toEqual({ type: 'customLocation', customLocation: { label: 'HQ' } })
  })
})
