import { expect, it } from 'vitest'
import { factsOf } from '#shared/facts/facts'
import { recordOf } from '../../../../src-renderer/views/reports/joins'

it('search columns link to campaign records where IDs match', () => {
  const columns = ['campaign', 'campaignId', 'adId', 'advertiserId', 'trackingActivityId', 'impr'].map((field) => ({
    ...{ head: field, field, kind: 'text' as const, adds: null },
  }))
  const cells = ['Spring', '11', '12', '13', '14', '15']
  const found = (service: 'search' | 'trafficking', column: number) =>
    recordOf(factsOf({}), service, columns, cells, column)
  const spring = { collection: 'campaigns', id: '11', advertiserId: '13' }
  expect([found('search', 0), found('search', 1)]).toEqual([spring, spring])
  expect(found('search', 4)).toMatchObject({ collection: 'trackingActivities', id: '14' })
  // An engine's ad isn't a campaign record; in trafficking, it is.
  expect(found('search', 2)).toBeUndefined()
  expect(found('trafficking', 2)).toMatchObject({ collection: 'ads', id: '12' })
  expect(found('search', 5)).toBeUndefined()
})
