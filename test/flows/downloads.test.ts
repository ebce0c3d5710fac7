import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { recordKey, type CollectionName } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import type { DownloadStatus, Replica, Row } from '../../src-renderer/replica/api'
import type { Device } from '../helpers/device'
import { HeldAnswers } from '../helpers/held-answers'
import type { TestService } from '../helpers/service'
import { openAccount } from '../helpers/whole-account'
import { cases, drawn } from '../helpers/ring'

let service: TestService
let device: Device
let network: HeldAnswers
/** Runs once, before the next patch reaches the service. */
let beforePatch: (() => Promise<unknown>) | undefined

async function open(campaignScale = 1): Promise<void> {
  network = new HeldAnswers()
  ;({ service, device } = await openAccount({
    campaignScale,
    fetch: async (url, init) => {
      const work = init.method === 'PATCH' ? beforePatch : undefined
      if (work) beforePatch = undefined
      await work?.()
      return network.fetch(url, init)
    },
  }))
  await device.replica.download({ parent: profile(), what: 'index' })
  await device.until('campaigns', () => device.replica.rows('campaigns').length > 0)
}
afterEach(async () => {
  network.release()
  await device.close()
  await service.stop()
})

const profile = (): string => device.replica.rows('userProfiles')[0]!.id
const download = (key: string): DownloadStatus => device.replica.downloads().find((one) => one.key === key)!
const ready = (key: string): Promise<void> => device.until(`${key} is ready`, () => download(key).state === 'ready')
const part = (key: string, collection: CollectionName): DownloadStatus['parts'][number] =>
  download(key).parts.find((one) => one.collection === collection)!
const bodies = async (collection: CollectionName): Promise<JsonObject[]> => {
  const table = await device.replica.table(collection)
  const keys = Array.from({ length: table.length }, (_, row) => table.key(row))
  const rows = await Promise.all(keys.map((key) => device.replica.read(key)))
  return rows.map((row) => row!.value!)
}
const listed = async (id: 'trafficking.placements.list', params: JsonObject = {}): Promise<JsonObject[]> => {
  const found: JsonObject[] = []
  for (let pageToken: string | undefined; ;) {
    const answer = await service.client.call(id, { profileId: profile(), ...params, ...(pageToken && { pageToken }) })
    found.push(...((answer.body.placements ?? []) as JsonObject[]))
    pageToken = answer.body.nextPageToken || undefined
    if (!pageToken) return found
  }
}
const ids = (all: readonly JsonObject[]): string[] => all.map(({ id }) => String(id)).sort()
const lately = async (since: number): Promise<string[]> =>
  (await service.requests(since)).map(({ operation }) => operation)
const logged = async (): Promise<number> => {
  const all = (await service.requests()) as unknown as { number: number }[]
  return Math.max(...all.map(({ number }) => number))
}
const settled = (): Promise<void> =>
  device.until('rest', ({ status }: Replica) => status.lanes.every(({ phase }) => phase === 'idle'))

describe('a download', () => {
  beforeEach(() => open())

  it('stays selected after a database loss, paused or not, and loads again', async () => {
    const [one, other] = device.replica.rows('advertisers')
    const what = (id: string) => ({ parent: profile(), what: { collection: 'advertisers', id } as const })
    const key = await device.replica.download(what(one!.id))
    const paused = await device.replica.download(what(other!.id))
    await device.replica.pauseDownload(paused, true)
    await ready(key)
    const placements = ids(await bodies('placements'))
    const chosen = device.replica.downloads().map(({ key }) => key)
    await device.restart({ wiped: true })
    await device.until('what is read first', ({ status }) => status.lastPull !== null)
    expect(device.replica.downloads().map(({ key }) => key)).toEqual(chosen)
    expect(download(paused).paused).toBe(true)
    await ready(key)
    expect(ids(await bodies('placements'))).toEqual(placements)
    await device.replica.removeDownload(key)
    await device.restart({ wiped: true })
    expect(device.replica.downloads().map(({ key }) => key)).toEqual(chosen.filter((one) => one !== key))
  })

  it('of an advertiser includes its contents and all references', async () => {
    const advertiser = device.replica.rows('advertisers')[1]!.id
    const key = await device.replica.download({
      parent: profile(),
      what: { collection: 'advertisers', id: advertiser },
    })
    await ready(key)
    expect(ids(await bodies('placements'))).toEqual(
      ids(await listed('trafficking.placements.list', { advertiserIds: [advertiser] })),
    )
    expect(part(key, 'placements').records).toBeGreaterThan(0)
    expect(device.replica.rows('sites').length).toBeGreaterThan(0)
    expect(device.replica.rows('campaignCreativeAssociations').length).toBeGreaterThan(0)
    // It may be checked again by now, but its contents are complete.
    expect(download(key).share).toBe(1)
  })

  it('of everything includes per-campaign types and a time estimate', async () => {
    const key = await device.replica.download({ parent: profile(), what: 'all' })
    await device.until('a part of them', () => device.replica.rows('campaignCreativeAssociations').length > 0)
    expect(download(key).left ?? 0).toBeGreaterThanOrEqual(0)
    await ready(key)
    for (const { id } of device.replica.rows('campaigns')) {
      const { body } = await service.client.call('trafficking.campaignCreativeAssociations.list', {
        profileId: profile(),
        campaignId: id,
      })
      const wanted = (body.campaignCreativeAssociations ?? []).map(({ creativeId }) => creativeId).sort()
      const here = device.replica.rows('campaignCreativeAssociations', `${profile()}/${id}`)
      expect(here.map(({ base }) => base!.creativeId).sort()).toEqual(wanted)
    }
    expect(part(key, 'campaignCreativeAssociations').records).toBeGreaterThan(0)
    expect(download(key).share).toBe(1)
  })

  it("of a campaign includes its advertiser's landing pages and activities", async () => {
    const campaign = device.replica.rows('campaigns')[0]!
    const key = await device.replica.download({
      parent: profile(),
      what: { collection: 'campaigns', id: campaign.id },
    })
    await ready(key)
    const placements = await bodies('placements')
    expect(placements.length).toBeGreaterThan(0)
    expect(placements.every((one) => one.campaignId === campaign.id)).toBe(true)
    const activities = device.replica.rows('trackingActivities')
    expect(activities.every(({ base }) => base!.advertiserId === campaign.base!.advertiserId)).toBe(true)
  })

  it('several downloads count the lists that they share once, and say how many calls they take', async () => {
    const { replica } = device
    const choices = replica
      .rows('campaigns')
      .slice(0, 3)
      .map(({ id }) => ({ parent: profile(), what: { collection: 'campaigns' as const, id } }))
    const all = replica.leastDownloadCalls(choices)
    const each = choices.map((choice) => replica.leastDownloadCalls([choice]))
    expect(Math.min(...each)).toBeGreaterThan(5)
    expect(all).toBeLessThan(each.reduce((sum, calls) => sum + calls, 0))
    const keys = await Promise.all(choices.map((choice) => replica.download(choice)))
    for (const key of keys) await ready(key)
    const records = (name: CollectionName): number | undefined =>
      replica.downloadProgress(choices).parts.find(({ collection }) => collection === name)?.records
    expect(records('sites')).toBe(replica.rows('sites').length)
    expect(records('campaigns')).toBe(replica.rows('campaigns').length)
    expect(records('placements')).toBe((await bodies('placements')).length)
    expect(replica.leastDownloadCalls(choices)).toBe(0)
  })

  it("is removed, except for other downloads' records and pending changes", async () => {
    const [first, second] = device.replica.rows('advertisers').map(({ id }) => id)
    const one = await device.replica.download({ parent: profile(), what: { collection: 'advertisers', id: first! } })
    const two = await device.replica.download({ parent: profile(), what: { collection: 'advertisers', id: second! } })
    await ready(one)
    await ready(two)
    const before = await bodies('placements')
    const mine = before.find((row) => row.advertiserId === first)!
    const key = recordKey('placements', profile(), String(mine.id))
    await device.replica.edit([{ kind: 'change', key, patch: { comment: 'Kept' } }], { label: 'A comment' })
    await device.replica.removeDownload(one)
    const left = await bodies('placements')
    expect(ids(left.filter((row) => row.advertiserId === second))).toEqual(
      ids(before.filter((row) => row.advertiserId === second)),
    )
    expect(left.filter((row) => row.advertiserId === first)).toEqual([{ ...mine, comment: 'Kept' }])
    expect(device.replica.downloads().map((status) => status.key)).not.toContain(one)
  })

  it("removes types that only the service can assign, also after a restart, except another campaign's", async () => {
    const chosen = device.replica.rows('campaigns').slice(0, 2)
    const keys: string[] = []
    for (const { id } of chosen)
      keys.push(await device.replica.download({ parent: profile(), what: { collection: 'campaigns', id } }))
    for (const key of keys) await ready(key)
    await device.restart()
    await settled()
    const [first, second] = keys
    const { body } = await service.client.call('trafficking.creatives.list', {
      profileId: profile(),
      campaignId: chosen[1]!.id,
    })
    const seconds = ids((body.creatives ?? []) as JsonObject[])
    expect(ids(await bodies('creatives')).length).toBeGreaterThan(seconds.length)
    expect(seconds.length).toBeGreaterThan(0)
    await device.replica.removeDownload(first!)
    expect(ids(await bodies('creatives'))).toEqual(seconds)
    expect(device.replica.rows('advertiserLandingPages').length).toBeGreaterThan(0)
    await device.replica.removeDownload(second!)
    const { facts } = device.replica
    const parts = facts.all.filter(({ pull, parents }) => pull?.when === 'chosen' && parents.length === 1)
    const left = await Promise.all(parts.map(async ({ name }) => [name, (await bodies(name)).length]))
    expect(left.filter(([, count]) => count !== 0)).toEqual([])
    expect(parts.map(({ name }) => name)).toEqual(expect.arrayContaining(['creatives', 'advertiserLandingPages']))
  })

  it.each([
    ['is sent', () => device.replica.post()],
    ['is discarded', () => Promise.all(device.replica.outbox().map(({ id }) => device.replica.withdraw(id)))],
  ])('with a pending change is fully removed once the change %s, also after a restart', async (_how, end) => {
    const [{ id }] = device.replica.rows('advertisers') as [Row]
    const choice = { parent: profile(), what: { collection: 'advertisers', id } } as const
    const one = await device.replica.download(choice)
    await ready(one)
    const [mine] = await bodies('placements')
    const key = recordKey('placements', profile(), String(mine!.id))
    await device.replica.edit([{ kind: 'change', key, patch: { comment: 'Kept' } }], { label: 'A comment' })
    await device.replica.removeDownload(one)
    expect(await bodies('placements')).toEqual([{ ...mine, comment: 'Kept' }])
    await device.restart()
    await settled()
    await end()
    await device.until('nothing waits', ({ status }) => status.unsent === 0)
    await expect.poll(() => bodies('placements')).toEqual([])
  })

  it('with a pending change keeps it when selected again', async () => {
    const [{ id }] = device.replica.rows('advertisers') as [Row]
    const choice = { parent: profile(), what: { collection: 'advertisers', id } } as const
    const one = await device.replica.download(choice)
    await ready(one)
    const before = ids(await bodies('placements'))
    const key = recordKey('placements', profile(), before[0]!)
    await device.replica.edit([{ kind: 'change', key, patch: { comment: 'Kept' } }], { label: 'A comment' })
    await device.replica.removeDownload(one)
    await ready(await device.replica.download(choice))
    await device.replica.post()
    await device.until('nothing waits', ({ status }) => status.unsent === 0)
    await settled()
    expect(ids(await bodies('placements'))).toEqual(before)
  })

  it('is complete again after removing a larger one, even if selected again at once', async () => {
    const campaign = device.replica.rows('campaigns')[0]!
    const small = { parent: profile(), what: { collection: 'campaigns', id: campaign.id } } as const
    const one = await device.replica.download(small)
    await ready(one)
    const before = ids(await bodies('creatives'))
    const large = { parent: profile(), what: 'all' } as const
    const all = await device.replica.download(large)
    await ready(all)
    const everything = ids(await bodies('placements'))
    await device.replica.removeDownload(all)
    await ready(one)
    await settled()
    expect(ids(await bodies('creatives'))).toEqual(before)
    await ready(await device.replica.download(large))
    const gone = device.replica.removeDownload(all)
    await new Promise((done) => setTimeout(done, 15))
    await device.replica.download(large)
    await gone
    await ready(all)
    expect(ids(await bodies('placements'))).toEqual(everything)
  })

  it("isn't reloaded at the next start, and updates from the change log", async () => {
    const key = await device.replica.download({ parent: profile(), what: 'all' })
    await ready(key)
    await settled()
    const [placement] = await listed('trafficking.placements.list')
    let since = await logged()
    await device.restart()
    await device.until('a look', ({ status }) => status.lanes.every(({ phase }) => phase === 'idle'))
    expect((await lately(since)).filter((id) => id.startsWith('trafficking.placements'))).toEqual([])

    await service.client.call(
      'trafficking.placements.patch',
      { profileId: profile(), id: String(placement!.id) },
      { body: { comment: 'From elsewhere' } as never },
    )
    since = await logged()
    device.replica.syncNow()
    const rowOf = (): Promise<Row | undefined> =>
      device.replica.read(recordKey('placements', profile(), String(placement!.id)))
    await expect.poll(async () => (await rowOf())?.value?.comment).toBe('From elsewhere')
    await settled()
    expect((await lately(since)).filter((id) => id === 'trafficking.placements.list')).toHaveLength(1)
  })

  it('takes only its own records from the change log', async () => {
    const [first, second] = device.replica.rows('advertisers').map(({ id }) => id)
    await ready(await device.replica.download({ parent: profile(), what: { collection: 'advertisers', id: first! } }))
    await settled()
    const [mine] = await listed('trafficking.placements.list', { advertiserIds: [first!] })
    const [other] = await listed('trafficking.placements.list', { advertiserIds: [second!] })
    for (const { id } of [other!, mine!])
      await service.client.call(
        'trafficking.placements.patch',
        { profileId: profile(), id: String(id) },
        { body: { comment: 'From elsewhere' } as never },
      )
    device.replica.syncNow()
    const commented = async (): Promise<unknown[]> =>
      (await bodies('placements')).filter(({ comment }) => comment === 'From elsewhere').map(({ id }) => id)
    await expect.poll(commented).toEqual([mine!.id])
    await settled()
    expect((await bodies('placements')).every(({ advertiserId }) => advertiserId === first)).toBe(true)
  })

  it('shows who changed what and when', async () => {
    await ready(await device.replica.download({ parent: profile(), what: 'all' }))
    const [placement] = await listed('trafficking.placements.list')
    const params = { profileId: profile(), id: String(placement!.id) }
    await service.client.call('trafficking.placements.patch', params, { body: { comment: 'Seen' } as never })
    device.replica.syncNow('trafficking')
    await expect
      .poll(async () => (await bodies('changeLogs')).filter(({ newValue }) => newValue === 'Seen'))
      .toMatchObject([{ objectId: placement!.id, fieldName: 'comment', objectType: 'OBJECT_PLACEMENT' }])
  })
})

describe('posting', () => {
  beforeEach(() => open())

  it('reads records together before it sends changes one by one', async () => {
    await ready(await device.replica.download({ parent: profile(), what: 'all' }))
    const all = (await bodies('placements')).slice(0, 40)
    const keys = all.map(({ id }) => recordKey('placements', profile(), String(id)))
    await device.replica.edit(
      keys.map((key, index) => ({ kind: 'change', key, patch: { comment: `Number ${index}` } })),
      { label: 'Forty comments' },
    )
    await settled()
    expect(device.replica.status.drafts).toBe(40)
    const since = await logged()
    expect(await device.replica.post()).toBe(40)
    await device.until('all sent', ({ status }) => status.unsent === 0)
    const calls = (await lately(since)).filter((id) => id.startsWith('trafficking.placements'))
    expect(calls.filter((id) => id === 'trafficking.placements.patch')).toHaveLength(40)
    const now = await listed('trafficking.placements.list', { ids: all.map(({ id }) => String(id)) })
    expect(now.map(({ comment }) => comment).sort()).toEqual(keys.map((_, index) => `Number ${index}`).sort())
    await settled()
    // One read before and one after them, since the log names them as changed. More if the data gets old in the meantime.
    expect((await lately(since)).filter((id) => id === 'trafficking.placements.list').length).toBeLessThan(20)
  })

  /**
   * Posts changes to two placements while someone else changes the second between its read and its write. @returns the notices
   */
  async function postedMeanwhile(
    mine: (placement: JsonObject) => JsonObject,
    theirs: (placement: JsonObject) => JsonObject,
  ): Promise<() => string[]> {
    await ready(await device.replica.download({ parent: profile(), what: 'all' }))
    const [one, other] = await bodies('placements')
    const edits = [one!, other!].map((placement) => ({
      kind: 'change' as const,
      key: recordKey('placements', profile(), String(placement['id'])),
      patch: mine(placement),
    }))
    await device.replica.edit(edits, { label: 'Two changes' })
    // Both records are read before the first is written.
    const params = { profileId: await minas(), id: String(other!['id']) }
    beforePatch = () => service.asMina('trafficking.placements.patch', params, theirs(other!))
    await device.replica.post()
    await device.until('all sent', ({ status }) => status.unsent === 0)
    return () => device.replica.notices().map(({ text }) => text)
  }

  it('reports a lost update between read and write', async () => {
    const notices = await postedMeanwhile(
      () => ({ comment: 'Mine' }),
      () => ({ comment: 'Theirs' }),
    )
    await expect
      .poll(notices)
      .toEqual([
        expect.stringMatching(
          /set the comment to “Theirs”, and your change “Two changes” set it to “Mine” a moment later/,
        ),
      ])
  })

  it('reports a list entry lost between read and write', async () => {
    const formats = ({ tagFormats }: JsonObject, more: string): JsonObject => ({
      tagFormats: [...new Set([...((tagFormats ?? []) as string[]), more])],
    })
    const notices = await postedMeanwhile(
      (placement) => formats(placement, 'PLACEMENT_TAG_TRACKING'),
      (placement) => formats(placement, 'PLACEMENT_TAG_CLICK_COMMANDS'),
    )
    await expect
      .poll(notices)
      .toEqual([expect.stringMatching(/^Mina.Park changed the tag formats, and your change “Two changes” replaced it/)])
  })
})

/** The second user's profile. */
async function minas(): Promise<string> {
  const answer = await service.asMina('trafficking.userProfiles.list', {})
  const { items } = (answer.body ?? answer) as { items: { profileId: string }[] }
  return items[0]!.profileId
}

describe('a large download', () => {
  // The placements of scale 6 are on three pages.
  beforeEach(() => open(cases(6, 8)))

  /** Downloads everything, and holds the placements after so many pages of them. @returns the download's key */
  async function downloadPages(pages: number): Promise<string> {
    // Its size tells a page from other requests.
    network.hold(/\/placements\?maxResults=1000/, pages)
    const key = await device.replica.download({ parent: profile(), what: 'all' })
    await device.until('the pages', () => part(key, 'placements').records >= pages * 1_000 && network.waiting > 0)
    return key
  }

  it('resumes at its page after a restart, with progress', async () => {
    const key = await downloadPages(1)
    const { share, left } = download(key)
    expect(share).toBeGreaterThan(0)
    expect(share).toBeLessThan(1)
    expect(left).toBeGreaterThan(0)
    const since = await logged()
    const restarted = device.restart()
    network.release()
    await restarted
    await ready(key)
    const all = await listed('trafficking.placements.list')
    expect(all.length).toBeGreaterThan(2_000)
    expect(ids(await bodies('placements'))).toEqual(ids(all))
    const pages = (await lately(since)).filter((id) => id === 'trafficking.placements.list')
    // Our comparison counts, too, and a page may be read twice.
    expect(pages.length).toBeLessThanOrEqual(2 * Math.ceil(all.length / 1_000))
  })

  it('leaves nothing when removed midway, and is complete when selected again', async () => {
    for (const pages of drawn([1, 2], 1)) {
      const key = await downloadPages(pages)
      const removed = device.replica.removeDownload(key)
      network.release()
      await removed
      await settled()
      await expect.poll(() => bodies('placements')).toEqual([])
    }
    const key = await device.replica.download({ parent: profile(), what: 'all' })
    await ready(key)
    expect(ids(await bodies('placements'))).toEqual(ids(await listed('trafficking.placements.list')))
  })

  it('pauses and resumes', async () => {
    const key = await downloadPages(1)
    await device.replica.pauseDownload(key, true)
    network.release()
    await settled()
    expect(download(key).state).toBe('paused')
    const { records } = part(key, 'placements')
    await device.replica.pauseDownload(key, false)
    await ready(key)
    const all = (await listed('trafficking.placements.list')).length
    expect(records).toBeLessThan(all)
    expect(part(key, 'placements').records).toBe(all)
  })
})
