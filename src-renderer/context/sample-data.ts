import type { Replica } from '../replica/api'

/**
 * Downloads the campaigns of the first profile as soon as it's known, so that a newcomer finds something in every view. Calendars
 * and tasks come automatically, campaigns only on request.
 */
export function fillSampleData(replica: Pick<Replica, 'rows' | 'subscribe' | 'download'>): void {
  const look = (): void => {
    const [first] = replica.rows('userProfiles')
    if (!first) return
    stop()
    void replica.download({ parent: first.id, what: 'all' }).catch(() => undefined)
  }
  const stop = replica.subscribe(look)
  look()
}
