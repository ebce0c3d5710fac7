import type { Sending } from '#shared/search-ads/questions'

/** Conversions of a sending that wait still. */
export const waitingIn = ({ state, batch }: Sending): number =>
  state !== 'waiting' ? 0 : batch ? batch.rows - batch.sent - batch.refused : 1

/** Number of conversions that the service rejected. */
export const refusedIn = ({ state, batch }: Sending): number => (batch ? batch.refused : state === 'refused' ? 1 : 0)
