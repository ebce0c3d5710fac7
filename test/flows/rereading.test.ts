import { describe, expect, it } from 'vitest'
import { FaultError } from '#shared/fault'
import type { JsonObject } from '#shared/json'
import type { DownloadChoice } from '../../src-renderer/replica/api'
import { seeded } from './model/clock'
import { addProfiles, modelForEach, profile } from './model/for-each'
import type { Call } from './model/call'

let pages: JsonObject[]

const make = (collection: string, body: JsonObject): JsonObject =>
  service.callAs('ada', `trafficking.${collection}.insert`, { profileId: '81' }, body)!
const names = (): unknown[] => replica.rows('advertiserLandingPages', profile).map(({ value }) => value?.name)
const all: DownloadChoice = { parent: profile, what: 'all' }

/** Holds the first matching call until released. */
function hold(isLike: (call: Call) => boolean): { met: () => boolean; release: () => void } {
  let release: (() => void) | undefined
  service.delay = (call) => {
    if (release || !isLike(call)) return undefined
    return new Promise((done) => (release = done))
  }
  return { met: () => release !== undefined, release: () => release!() }
}

/** Advances time in small steps until a condition holds. */
async function until(isSo: () => boolean): Promise<void> {
  for (let n = 0; n < 600 && !isSo(); n++) await clock.pass(100)
  expect(isSo()).toBe(true)
}

async function again(): Promise<void> {
  device.crash()
  service.delay = () => undefined
  await device.start()
}

const { clock, service, device, replica } = modelForEach(2_000, () => {
  addProfiles(service)
  const advertiserId = make('advertisers', { name: 'Nordic' }).id!
  pages = Array.from({ length: 12 }, (_, number) =>
    make('advertiserLandingPages', { name: `Page ${number}`, url: 'https://www.example/', advertiserId }),
  )
})

describe('a profile that disappears while a list loads', () => {
  it.each(['for the first time', 'again'])('and returns is fully loaded when the list was read %s', async (which) => {
    const mine = service.trafficking.profiles[0]!
    const key = await replica.download(all)
    if (which === 'again') {
      await clock.pass(30_000)
      expect(names()).toHaveLength(12)
    }
    const second = hold(
      ({ id, params }) => id === 'trafficking.advertiserLandingPages.list' && params.pageToken !== undefined,
    )
    if (which === 'again') replica.refreshDownload(key)
    await until(second.met)
    await clock.pass(100)
    service.trafficking.profiles.shift()
    await again()
    await clock.pass(30_000)
    expect(replica.rows('userProfiles').map(({ id }) => id)).not.toContain(profile)
    expect(await device.stored('advertiserLandingPages', profile)).toEqual([])
    service.trafficking.profiles.unshift(mine)
    replica.syncNow()
    await clock.pass(60_000)
    expect(names()).toHaveLength(12)
  })
})

describe('an unreadable record in a change log', () => {
  async function renamed(): Promise<void> {
    for (const { id } of pages.slice(0, 2))
      service.callAs(
        'ada',
        'trafficking.advertiserLandingPages.patch',
        { profileId: '81', id: id! },
        { name: `New ${String(id)}` },
      )
    device.beforeAnswer = (name) => {
      if (name === 'sync/read-many') throw new FaultError({ code: 'badAnswer', message: 'Not what was asked for' })
    }
    await clock.pass(1_000)
    replica.syncNow()
  }
  const newNames = (): unknown[] => names().filter((name) => String(name).startsWith('New'))

  it("doesn't block reading the others", async () => {
    await replica.download(all)
    await clock.pass(30_000)
    await renamed()
    await clock.pass(60_000)
    expect(newNames()).toHaveLength(2)
    expect(replica.status.fault).toBeUndefined()
  })

  it('gets its list reloaded even after a restart', async () => {
    await replica.download(all)
    await clock.pass(30_000)
    const list = hold(({ id }) => id === 'trafficking.advertiserLandingPages.list')
    await renamed()
    await until(list.met)
    expect(newNames()).toEqual([])
    await again()
    await clock.pass(60_000)
    expect(newNames()).toHaveLength(2)
  })

  it('gets its list reloaded even when the download is paused', async () => {
    await replica.download({ parent: profile, what: 'index' })
    const key = await replica.download(all)
    await clock.pass(30_000)
    await replica.pauseDownload(key, true)
    await renamed()
    await clock.pass(60_000)
    expect(newNames()).toEqual([])
    await replica.pauseDownload(key, false)
    await clock.pass(60_000)
    expect(newNames()).toHaveLength(2)
  })
})

it('a list removed and selected again during its end check loads completely, even after a restart', async () => {
  const end = hold(
    ({ id, params }) => id === 'trafficking.advertiserLandingPages.list' && params.sortOrder === 'DESCENDING',
  )
  const key = await replica.download(all)
  await until(end.met)
  const gone = replica.removeDownload(key)
  await clock.pass(200)
  await gone
  await replica.download(all)
  const second = hold(
    ({ id, params }) => id === 'trafficking.advertiserLandingPages.list' && params.pageToken !== undefined,
  )
  end.release()
  await until(second.met)
  await clock.pass(100)
  await again()
  await clock.pass(60_000)
  expect(names()).toHaveLength(12)
})

it('a record changed during a slow bulk send asks instead of being overwritten', async () => {
  await replica.download(all)
  await clock.pass(30_000)
  const keys = replica.rows('advertiserLandingPages', profile).map(({ key }) => key)
  await replica.edit(
    keys.map((key) => ({ kind: 'change', key, patch: { name: `Mine ${key}` } })),
    { label: 'Rename' },
  )
  const { setTimer } = clock.environment(seeded(2), () => true)
  const sent = (): number =>
    replica.rows('advertiserLandingPages', profile).filter(({ mark }) => mark === 'synced').length
  service.delay = ({ id }) =>
    id === 'trafficking.advertiserLandingPages.patch' ? new Promise((done) => setTimer(() => done(), 5_000)) : undefined
  const last = pages.at(-1)!.id!
  const posted = replica.post()
  for (let n = 0; n < 200 && sent() === 0; n++) await clock.pass(500)
  service.callAs('ada', 'trafficking.advertiserLandingPages.patch', { profileId: '81', id: last }, { name: 'Hers' })
  await clock.pass(120_000)
  await posted
  expect(replica.outbox()).toMatchObject([{ recordId: last, state: 'needsYou', conflict: { fields: ['name'] } }])
  expect(names().filter((name) => String(name).startsWith('Mine'))).toHaveLength(12)
})
