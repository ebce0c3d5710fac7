import { expect, it } from 'vitest'
import { adTypeFor, misfitOf } from '#shared/checks/placement-fit'
import type { JsonObject } from '#shared/json'

const placement: JsonObject = { advertiserId: '1', compatibility: 'DISPLAY', size: { width: 300, height: 250 } }
const creative: JsonObject = {
  ...{ advertiserId: '1', type: 'IMAGE', compatibility: ['DISPLAY', 'APP'] },
  size: { width: 300, height: 250 },
}
const why = (own: JsonObject = {}, other: JsonObject = {}, more: object = {}): string | undefined =>
  misfitOf({ placement: { ...placement, ...own }, campaign: {}, hasTime: true, ...more }, { ...creative, ...other })

it.each([
  ['fits', undefined, why()],
  ['has no size', undefined, why({}, { size: null })],
  ['isn’t on the server yet', undefined, why({}, { compatibility: null })],
  [
    'shares another size',
    undefined,
    why({ additionalSizes: [{ width: 1, height: 2 }] }, { size: { width: 1, height: 2 } }),
  ],
  ['differs in size', 'The sizes differ: 300 × 250 and 728 × 90', why({}, { size: { width: 728, height: 90 } })],
  ['is for elsewhere', 'The creative doesn’t support in-stream video', why({ compatibility: 'IN_STREAM_VIDEO' })],
  ['is someone else’s', 'The creative belongs to another advertiser', why({}, { advertiserId: '2' })],
  ['is archived', 'The creative is archived', why({}, { archived: true })],
  ['is for an archived placement', 'The placement is archived', why({ archived: true })],
  ['is for an archived campaign', 'The campaign is archived', why({}, {}, { campaign: { archived: true } })],
  ['comes too late', 'The flight has ended', why({}, {}, { hasTime: false })],
  [
    'is shown by default ads',
    'Ads with creatives of this type are created automatically',
    why({}, { type: 'BRAND_SAFE_DEFAULT_INSTREAM_VIDEO' }),
  ],
])('a creative that %s', (_which, expected, found) => {
  expect(found).toBe(expected)
})

it('tracking creatives are shown by tracking ads', () => {
  expect(adTypeFor({ type: 'TRACKING_TEXT' })).toBe('AD_SERVING_TRACKING')
  expect(adTypeFor(creative)).toBe('AD_SERVING_STANDARD_AD')
})
