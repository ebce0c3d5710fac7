import type { JsonObject } from '#shared/json'
import type { TestService } from './service'

/** The booking of a placement or placement group on the service. */
export interface Booked {
  id: string
  name: string
  archived?: boolean
  campaignId?: string
  placementGroupId?: string
  placementGroupType?: string
  primaryPlacementId?: string
  pricingSchedule?: {
    pricingType: string
    trackingActivityId?: string
    pricingPeriods: { startDate: string; endDate: string; units: string }[]
  }
}

/** All bookings of the first profile. */
export async function allBooked(service: TestService, what: 'placements' | 'placementGroups'): Promise<Booked[]> {
  const { profileId = '' } = service.sandbox.ids
  const found: Booked[] = []
  let pageToken: string | undefined
  do {
    const { body } = await service.client.call(`trafficking.${what}.list`, {
      profileId,
      ...(pageToken !== undefined && { pageToken }),
    })
    found.push(...((body as JsonObject)[what] as unknown as Booked[]))
    pageToken = (body as JsonObject)['nextPageToken'] as string | undefined
  } while (pageToken)
  return found
}

/** A date as days since 1970. */
export const day = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 86_400_000
/** The day before the usual time, which is the last full day. */
export const asOf = day('2026-06-09')
