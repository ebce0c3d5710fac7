import { describe, expect, it } from 'vitest'
import { factsOf } from '#shared/facts/facts'
import type { DownloadChoice, DownloadPart, DownloadStatus, Row } from '../../../src-renderer/replica/api'
import { isActive, isChosen, pickRows } from '../../../src-renderer/context/download-choices'
import {
  choiceWords,
  downloadWords,
  heldWords,
  leastTimeWords,
  leftWords,
  partWords,
  refreshProblem,
} from '../../../src-renderer/context/download-words'

const facts = factsOf()
const now = 1_000_000_000
const online = { now, offline: false }
const part = (more: Partial<DownloadPart> = {}): DownloadPart => ({
  collection: 'placements',
  state: 'ready',
  records: 1200,
  readAt: now - 300_000,
  ...more,
})
const download = (more: Partial<DownloadStatus> = {}): DownloadStatus => ({
  key: 'k',
  parent: '7',
  what: 'all',
  paused: false,
  state: 'ready',
  parts: [part(), part({ collection: 'ads', records: 34 })],
  share: 1,
  readAt: now - 300_000,
  ...more,
})

it('a download says why the service keeps it', () => {
  const fault = { code: 'quotaSpent', message: 'Daily Limit Exceeded' } as const
  expect(heldWords({ phase: 'waiting', fault, nextTry: now + 3_540_000 }, now, false)).toBe(
    'Daily quota used up, retrying in 59 min.',
  )
  expect(heldWords({ phase: 'signIn' }, now, true)).toBe('Signed out.')
})

it('a download says why it can’t be refreshed', () => {
  const held = { phase: 'signIn' } as const
  expect(refreshProblem(download(), online)).toBeUndefined()
  expect(refreshProblem(download(), { ...online, held: { phase: 'waiting' } })).toBeUndefined()
  expect(refreshProblem(download({ paused: true }), online)).toBe('It’s paused, so you can’t refresh it.')
  expect(refreshProblem(download(), { now, offline: true })).toBe('You’re offline, so you can’t refresh it.')
  expect(refreshProblem(download(), { ...online, held, signedOut: true })).toBe(
    'You’re signed out, so you can’t refresh it.',
  )
  expect(refreshProblem(download(), { ...online, held })).toBe('Your session has expired, so you can’t refresh it.')
})

describe("a download's status", () => {
  const words = (more: Partial<DownloadStatus>, situation = online): string =>
    downloadWords(download(more), situation).text
  it('is its count and age, or its progress', () => {
    expect(words({})).toBe('1,234 records, updated 5 min ago')
    expect(words({ state: 'reading', readAt: null, left: 180_000 })).toBe('1,234 records so far, about 3 min left')
    expect(words({ state: 'waiting', parts: [part({ records: 0 })] })).toBe('Waiting')
  })
  it("names what blocks it and what's downloaded anyway", () => {
    expect(words({ state: 'paused' })).toBe('Paused. 1,234 records downloaded, updated 5 min ago')
    expect(words({ state: 'failed', readAt: null })).toBe('Not fully downloaded. 1,234 records downloaded')
    expect(words({ state: 'reading', readAt: null }, { now, offline: true })).toBe(
      'Resumes when you’re online. 1,234 records downloaded',
    )
    const begins = { state: 'waiting', readAt: null, parts: [part({ records: 0 })] } as const
    expect(words(begins, { now, offline: true })).toBe('Starts when you’re online')
  })
  it('names a full disk and the next try', () => {
    const message = 'Your disk is full. Nothing changed. Free up disk space, then try again.'
    const held = { phase: 'waiting', fault: { code: 'storage', message }, nextTry: now + 12_000 } as const
    const full = { now, offline: false, held }
    expect(words({ state: 'reading', readAt: null }, full)).toBe(
      'Can’t save to this computer, retrying in 12 s. 1,234 records downloaded',
    )
    expect(words({ state: 'waiting', readAt: null, parts: [part({ records: 0 })] }, full)).toBe(
      'Can’t save to this computer, retrying in 12 s. Nothing downloaded yet',
    )
    expect(words({}, full)).toBe('1,234 records, updated 5 min ago')
    expect(words({ state: 'paused' }, full)).toBe('Paused. 1,234 records downloaded, updated 5 min ago')
  })
  it('uses a readable unit for the time left', () => {
    expect([undefined, 400, 20_000, 90_000, 7_000_000].map(leftWords)).toEqual([
      '',
      'about 1 s left',
      'about 20 s left',
      'about 2 min left',
      'about 2 h left',
    ])
  })
  it("shows the service's error for one record type", () => {
    expect(partWords(part(), online).text).toBe('updated 5 min ago')
    expect(partWords(part({ state: 'reading' }), online).text).toBe('downloading…')
    const fault = { code: 'forbidden', message: 'Not for this role.' } as const
    expect(partWords(part({ state: 'failed', fault }), online)).toEqual({ text: 'Not for this role.', tone: 'warning' })
    expect(partWords(part({ state: 'waiting', readAt: null, records: 0 }), { now, offline: true }).text).toBe(
      'starts when you’re online',
    )
  })
})

describe('the download choices', () => {
  const name = (what: DownloadChoice['what']): string =>
    choiceWords({ what }, facts, (_, id) => (id === '1' ? 'Nordwind' : undefined)).title
  it('have names if known', () => {
    expect(name('all')).toBe('Everything')
    expect(name('index')).toBe('Advertiser and campaign lists')
    expect(name({ collection: 'advertisers', id: '1' })).toBe('Nordwind')
    expect(name({ collection: 'campaigns', id: '2' })).toBe('Campaign #2')
  })
  it('are already selected when the whole profile is', () => {
    const one = { collection: 'campaigns', id: '2' } as const
    expect(isChosen([{ parent: '7', what: 'all' }], '7', one)).toBe(true)
    expect(isChosen([{ parent: '8', what: 'all' }], '7', one)).toBe(false)
    expect(isChosen([{ parent: '7', what: 'index' }], '7', one)).toBe(false)
    expect(isChosen([{ parent: '7', what: one }], '7', { ...one })).toBe(true)
    expect(isChosen([{ parent: '7', what: one }], '7', 'index')).toBe(false)
  })
  it('list names, archived ones last, and campaigns with advertiser and dates', () => {
    const row = (id: string, value: Row['value']): Row => ({
      key: id,
      collection: 'campaigns',
      parent: '7',
      id,
      value: { id, ...value },
      base: null,
      complete: true,
      mark: 'synced',
      remoteSeq: 0,
    })
    const rows = [
      row('1', { name: 'Winter 10', archived: true }),
      row('2', { name: 'Winter 9', advertiserId: '5', startDate: '2026-07-01', endDate: '2027-01-31' }),
      row('3', { name: 'autumn', advertiserId: '6' }),
    ]
    const options = {
      choices: [{ parent: '7', what: { collection: 'advertisers', id: '6' } } as const],
      words: '',
      onlyActive: false,
      context: { zone: 'UTC', hour12: false, today: Date.UTC(2026, 5, 10) },
      advertiser: (id: string) => (id === '5' ? 'Nordwind' : undefined),
    }
    const found = pickRows(facts.of('campaigns'), rows, options)
    expect(found.map(({ title, aside, taken }) => [title, aside, taken])).toEqual([
      ['autumn', undefined, 'already downloaded'],
      ['Winter 9', 'Nordwind · 1 Jul to 31 Jan 2027', undefined],
      ['Winter 10', 'archived', undefined],
    ])
    const named = pickRows(facts.of('campaigns'), rows, { ...options, words: 'NORD win' })
    expect(named.map(({ id }) => id)).toEqual(['2'])
  })
  it('omit archived, paused, and ended ones when you want only active ones', () => {
    const today = Date.UTC(2026, 5, 10)
    const active = (value: Row['value']): boolean => isActive({ value }, today)
    expect(active({ endDate: '2026-06-10' })).toBe(true)
    expect(active({ endDate: '2026-06-09' })).toBe(false)
    expect(active({ archived: true })).toBe(false)
    expect(active({ status: 'ON_HOLD' })).toBe(false)
    expect(active({ status: 'APPROVED', suspended: false })).toBe(true)
    expect(active({ status: 'APPROVED', suspended: true })).toBe(false)
    expect(active(null)).toBe(false)
  })
})

it('the time that a download takes at least is shown before it starts', () => {
  expect(leastTimeWords(0, 1)).toBe('')
  expect(leastTimeWords(57, undefined)).toBe('')
  expect(leastTimeWords(57, 1)).toBe('at least 1 min')
  expect(leastTimeWords(214, 1)).toBe('at least 4 min')
  expect(leastTimeWords(214, 10)).toBe('at least 1 min')
  expect(leastTimeWords(20_000, 1)).toBe('at least 6 h')
})
