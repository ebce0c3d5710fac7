import { describe, expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import { factsOf } from '#shared/facts/facts'
import type {
  DownloadChoice,
  DownloadPart,
  DownloadProgress,
  DownloadStatus,
  Row,
} from '../../../../src-renderer/replica/api'
import { isBare } from '../../../../src-renderer/views/campaigns/download-offers'
import { downloadsIn, freshnessOf, freshWords, standingOf } from '../../../../src-renderer/views/campaigns/freshness'
import { recentWords } from '../../../../src-renderer/views/campaigns/recent'

const facts = factsOf()
const part = (more: Partial<DownloadPart> = {}): DownloadPart => ({
  ...{ collection: 'placements', state: 'ready', records: 10, readAt: 5_000 },
  ...more,
})
const download = (what: DownloadStatus['what'], parts: DownloadPart[] = [part()], parent = '7'): DownloadStatus => ({
  ...{ key: JSON.stringify(what), parent, what, paused: false, state: 'ready', parts, share: 1, readAt: 5_000 },
})
const campaign = recordKey('campaigns', '7', '20')
const peek = (key: string): Row | undefined =>
  key === campaign ? ({ value: { id: '20', advertiserId: '3' } } as unknown as Row) : undefined

describe('downloads that cover a record', () => {
  const all = [
    download('all'),
    download('index'),
    download({ collection: 'advertisers', id: '3' }),
    download({ collection: 'advertisers', id: '4' }),
    download({ collection: 'campaigns', id: '20' }),
    download('all', [part()], '8'),
  ]
  const found = (within?: string): unknown[] =>
    downloadsIn(all, { profile: '7', ...(within !== undefined && { within }) }, { facts, peek }).map(({ what }) => what)
  it("are the whole profile, the record's own, or a parent's", () => {
    expect(found()).toHaveLength(5)
    expect(found(campaign)).toEqual([
      'all',
      { collection: 'advertisers', id: '3' },
      { collection: 'campaigns', id: '20' },
    ])
    expect(found(recordKey('advertisers', '7', '4'))).toEqual(['all', { collection: 'advertisers', id: '4' }])
  })
})

describe('the age of a record type', () => {
  it('is that of its oldest part, unknown if one was never read', () => {
    expect(freshnessOf([])).toBeUndefined()
    expect(freshnessOf([part(), part({ records: 5, readAt: 2_000 })])).toEqual({
      records: 15,
      state: 'ready',
      readAt: 2_000,
    })
    const begun = freshnessOf([part(), part({ state: 'reading', readAt: null })])
    expect(begun).toMatchObject({ state: 'reading', readAt: null })
  })
  it('is in words', () => {
    const now = 600_000
    expect(freshWords({ state: 'ready', readAt: 0 }, now)).toBe('updated 10 min ago')
    expect(freshWords({ state: 'reading', readAt: 0 }, now)).toBe('updating…')
    expect(freshWords({ state: 'failed', readAt: 0 }, now)).toBe('updated 10 min ago, couldn’t refresh')
    expect(freshWords({ state: 'failed', readAt: null }, now)).toBe('couldn’t refresh')
    expect(freshWords({ state: 'waiting', readAt: null }, now)).toBe('not updated yet')
  })
})

describe('recent changes', () => {
  it('show how many and by whom', () => {
    expect(recentWords({ changes: 0, records: 0, people: [] })).toBe('No new changes')
    expect(recentWords({ changes: 1, records: 1, people: ['Mina'] })).toBe('1 new change to 1 record by Mina')
    expect(recentWords({ changes: 12, records: 3, people: ['Mina', 'Jo'] })).toBe(
      '12 new changes to 3 records by Mina and Jo',
    )
    expect(recentWords({ changes: 12, records: 3, people: ['Mina', 'Jo', 'Al', 'Bo'] })).toContain(
      'Mina, Jo, and 2 others',
    )
    expect(recentWords({ changes: 2, records: 1, people: [] })).toBe('2 new changes to 1 record')
  })
})

describe('the standing of downloads', () => {
  const one = (id: string, paused: boolean): DownloadStatus => ({
    ...download({ collection: 'campaigns', id }),
    paused,
  })
  /** Downloads of `read` campaigns, or of nothing, have been read. */
  const standing = (all: DownloadStatus[], read: string[]): unknown => {
    const downloadProgress = (choices: readonly DownloadChoice[]): DownloadProgress => {
      const isRead = choices.every(({ what }) => typeof what === 'string' || read.includes(what.id))
      return {
        state: isRead ? 'ready' : 'waiting',
        parts: [],
        share: 0,
        readAt: isRead && choices.length > 0 ? 5_000 : null,
      }
    }
    const { incomplete, paused } = standingOf({ downloadProgress }, all)
    return { incomplete, paused }
  }
  it('is paused if only paused ones are incomplete', () => {
    expect(standing([download('index')], [])).toEqual({ incomplete: false, paused: false })
    expect(standing([one('1', true), one('2', false)], ['2'])).toEqual({ incomplete: true, paused: true })
    expect(standing([one('1', true), one('2', false)], ['1'])).toEqual({ incomplete: true, paused: false })
    expect(standing([one('1', true), one('2', true)], ['2'])).toEqual({ incomplete: true, paused: true })
    expect(standing([one('1', true), one('2', true)], ['1', '2'])).toEqual({ incomplete: false, paused: false })
    expect(standing([one('1', false)], [])).toEqual({ incomplete: true, paused: false })
  })
})

describe('a scope known by its lists only', () => {
  const lists = { facts, peek, chosenDownloads: () => [download('index')] }
  it('lacks its contents, unless it has none on the service yet', () => {
    expect(isBare(lists, { profile: '7' })).toBe(true)
    expect(isBare(lists, { profile: '7', within: campaign })).toBe(true)
    expect(isBare(lists, { profile: '7', within: recordKey('campaigns', '7', 'local:1') })).toBe(false)
  })
})
