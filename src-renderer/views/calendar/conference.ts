import type { Event } from '#shared/wire/calendar/types'

/** The address to join an event's conference, if it has one. */
export function joinLink(event: Event): string | null {
  const points = event.conferenceData?.entryPoints ?? []
  const point =
    points.find((one) => one.entryPointType === 'video') ?? points.find((one) => one.uri?.startsWith('http'))
  const link = point?.uri ?? event.videoLink
  return link && /^https?:/.test(link) ? link : null
}
