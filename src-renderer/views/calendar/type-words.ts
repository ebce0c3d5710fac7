import type { Event } from '#shared/wire/calendar/types'

type Place = NonNullable<Event['workingLocationProperties']>

/** Names of the event types that the form offers. */
export const typeNames = {
  default: 'Event',
  focusTime: 'Focus time',
  outOfOffice: 'Out of office',
  workingLocation: 'Working location',
} as const

/** The place of a working location without its details. Empty if it has no name. */
export const placeName = ({ type, officeLocation, customLocation }: Place): string =>
  type === 'homeOffice' ? 'Home' : ((type === 'officeLocation' ? officeLocation?.label : customLocation?.label) ?? '')

/** The same place at another name or of another kind. An office keeps its building, floor, and desk. */
export function placeAt(place: Place, type: NonNullable<Place['type']>, label: string): Place {
  if (type === 'homeOffice') return { type, homeOffice: {} }
  if (type === 'officeLocation') return { type, officeLocation: { ...place.officeLocation, label } }
  return { type, customLocation: { ...place.customLocation, label } }
}

const declines: Readonly<Record<string, string>> = {
  declineOnlyNewConflictingInvitations: 'declines new conflicting invitations',
  declineAllConflictingInvitations: 'declines conflicting invitations',
}

/** Description of an event of a special type. Undefined for an ordinary one. */
export function typeLine(event: Event): string | undefined {
  const { eventType, summary, workingLocationProperties: place } = event
  if (eventType === 'focusTime' || eventType === 'outOfOffice') {
    const { autoDeclineMode, declineMessage } = event[`${eventType}Properties`] ?? {}
    const declined = declines[autoDeclineMode ?? '']
    const message = declined && declineMessage ? `: “${declineMessage}”` : ''
    return [typeNames[eventType], ...(declined ? [`${declined}${message}`] : [])].join(', ')
  }
  if (eventType !== 'workingLocation') return undefined
  const name = place ? placeName(place) : ''
  const { buildingId, floorId, deskId } = (place?.type === 'officeLocation' && place.officeLocation) || {}
  const parts = [
    name !== (summary ?? '').trim() && name,
    buildingId && `building ${buildingId}`,
    floorId && `floor ${floorId}`,
    deskId && `desk ${deskId}`,
  ].filter(Boolean)
  return [typeNames.workingLocation, ...(parts.length > 0 ? [parts.join(', ')] : [])].join(': ')
}
