// Only in test:all: seeds and syncs 10,000 events, which takes two minutes.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { systemClock } from '#shared/time/clock'
import { launchApp, type RunningApp } from '../helpers/app'
import { openSync, startDownload, untilDownloaded } from '../helpers/campaign-download'
import { startOutsideService, type OutsideService } from '../helpers/outside-service'

/** 250 equals 100,000 placements. 10,000 find the same problems. */
const scale = Number(process.env['FLIGHTPLAN_SCALE'] ?? 25)
const patience = 60_000 + scale * 4_000

let service: OutsideService
let app: RunningApp

beforeAll(async () => {
  service = await startOutsideService({ scale })
}, patience)
afterAll(async () => {
  await app?.close()
  await service?.stop()
})

const headers = (): Record<string, string> => ({ Authorization: `Bearer ${service.token}` })
async function get(path: string): Promise<Record<string, unknown>> {
  const answer = await fetch(`${service.baseUrl}${path}`, { headers: headers() })
  return (await answer.json()) as Record<string, unknown>
}
async function profile(): Promise<string> {
  const { items } = (await get('/trafficking/v3.4/userprofiles')) as { items: { profileId: string }[] }
  return items[0]!.profileId
}
async function onService(): Promise<string[]> {
  const id = await profile()
  const found: string[] = []
  for (let token = ''; ;) {
    const page = await get(
      `/trafficking/v3.4/userprofiles/${id}/placements?fields=nextPageToken,placements/id${token && `&pageToken=${encodeURIComponent(token)}`}`,
    )
    found.push(...((page['placements'] ?? []) as { id: string }[]).map((one) => one.id))
    token = String(page['nextPageToken'] ?? '')
    if (token === '') return found.sort()
  }
}
async function pagesAsked(): Promise<number> {
  const { entries } = (await get('/sandbox/v1/log?since=0')) as { entries: { operation: string }[] }
  return entries.filter(({ operation }) => operation === 'trafficking.placements.list').length
}

/** IDs of all placements on this computer's disk. */
const onDisk = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const open = indexedDB.open('flightplan-sandbox')
    const db = await new Promise<IDBDatabase>((done, failed) => {
      open.onsuccess = () => done(open.result)
      open.onerror = () => failed(open.error as Error)
    })
    const range = IDBKeyRange.bound('placements\n', 'placements\n￿')
    const all = <T>(store: string): Promise<T[]> =>
      new Promise((done, failed) => {
        const request = db.transaction(store).objectStore(store).getAll(range)
        request.onsuccess = () => done(request.result as T[])
        request.onerror = () => failed(request.error as Error)
      })
    const heads = await all<{ key: string; ids: { text: string; ends: Uint32Array } }>('heads')
    const dead = new Map(
      (await all<{ key: string; rows: number[] }>('dead')).map(({ key, rows }) => [key, new Set(rows)]),
    )
    const rows = await all<{ id: string }>('rows')
    db.close()
    const laid = heads.flatMap(({ key, ids: { text, ends } }) =>
      Array.from(ends, (end, row) =>
        dead.get(key)?.has(row) ? [] : [text.slice(row === 0 ? 0 : ends[row - 1], end)],
      ).flat(),
    )
    return [...laid, ...rows.map(({ id }) => id)].sort()
  })

it(
  'the download resumes after a kill and is complete',
  async () => {
    app = await launchApp({ service })
    await openSync(app.page)
    await startDownload(app.page)
    const pages = Math.ceil((scale * 400) / 1_000)
    await expect.poll(pagesAsked, { timeout: patience, interval: 100 }).toBeGreaterThan(pages / 3)
    await app.kill()

    const before = await pagesAsked()
    const began = systemClock.elapsed()
    app = await launchApp({ service, userData: app.userData })
    await openSync(app.page)
    await untilDownloaded(app.page, patience)
    const after = await pagesAsked()
    const wanted = await onService()
    expect(wanted.length).toBeGreaterThan(scale * 390)
    expect(await onDisk(app.page)).toEqual(wanted)
    // Earlier pages aren't read again: only the rest, the interrupted page, the end of the list, and changes in the log.
    expect(after - before).toBeLessThanOrEqual(pages - Math.floor(pages / 3) + 4)
    console.info(
      `${wanted.length} placements: ${before} pages before the end, ${after - before} after it, whole ${Math.round((systemClock.elapsed() - began) / 1000)} s later.`,
    )
  },
  patience * 3,
)
