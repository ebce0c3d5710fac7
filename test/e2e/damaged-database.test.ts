import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Clock } from '#shared/time/clock'
import { addEvent, runService, titlesOnService } from '../crash/events'
import { launchApp, type RunningApp } from '../helpers/app'
import { nothingPending } from '../helpers/page'
import { drawn } from '../helpers/ring'

/** Files of a LevelDB folder, which is what Chromium keeps IndexedDB in. */
const kinds = { log: /\.log$/, table: /\.ldb$/, manifest: /^MANIFEST/, current: /^CURRENT$/ }

const damages = {
  'cut in half': async (path: string) => truncate(path, Math.floor((await stat(path)).size / 2)),
  emptied: (path: string) => truncate(path),
  'filled with zeros': async (path: string) => writeFile(path, Buffer.alloc((await stat(path)).size)),
  'flipped in one byte': async (path: string) => {
    const bytes = await readFile(path)
    const middle = Math.floor(bytes.length / 2)
    bytes[middle] = bytes[middle]! ^ 0x40
    await writeFile(path, bytes)
  },
  removed: (path: string) => rm(path),
  // As unreadable as a file without permission, which the system's administrator doesn't notice.
  'replaced by a folder': async (path: string) => {
    await rm(path)
    await mkdir(path)
  },
}

const cases = (Object.keys(kinds) as (keyof typeof kinds)[]).flatMap((kind) =>
  (Object.keys(damages) as (keyof typeof damages)[]).map((how) => ({ kind, how })),
)

/** Fills the log, so that Chromium moves what was written before into tables. */
const fillLog = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error!)
      })
    const opening = indexedDB.open('filler')
    opening.onupgradeneeded = () => opening.result.createObjectStore('parts')
    const database = await done(opening)
    const store = database.transaction('parts', 'readwrite').objectStore('parts')
    // Larger values get files of their own.
    const values = Array.from({ length: 200 }, () => crypto.getRandomValues(new Uint8Array(60_000)))
    await Promise.all(values.map((value, at) => done(store.put(value, at))))
    database.close()
  })

/** Reads all of that, so that Chromium notices damage. */
const readLog = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const opening = indexedDB.open('filler')
    opening.onsuccess = () => {
      const reading = opening.result.transaction('parts').objectStore('parts').getAll()
      reading.onsuccess = () => resolve(reading.result.length)
      reading.onerror = () => reject(reading.error!)
    }
    opening.onerror = () => reject(opening.error!)
  })

/** Steps that can be undone according to the database, which only it knows. */
const undoSteps = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open('flightplan-sandbox')
        opening.onsuccess = () => {
          const counting = opening.result.transaction('undo').objectStore('undo').count()
          counting.onsuccess = () => {
            opening.result.close()
            resolve(counting.result)
          }
        }
        opening.onerror = () => reject(opening.error!)
      }),
  )

describe('a damaged database', () => {
  let profile: string
  let clock: Clock
  const folderOf = async (userData: string): Promise<string> => {
    const databases = join(userData, 'IndexedDB')
    return join(
      databases,
      (await readdir(databases)).find((name) => name.endsWith('.leveldb'))!,
    )
  }

  beforeAll(async () => {
    const app = await launchApp({ args: ['--seed', 'empty'] })
    ;({ userData: profile, clock } = app)
    await nothingPending(app.page)
    await addEvent(app.page, 'Sent before')
    await nothingPending(app.page)
    await fillLog(app.page)
    await runService(app.page, false)
    await addEvent(app.page, 'Never sent')
    await app.close()
    const files = await readdir(await folderOf(profile))
    for (const kind of Object.values(kinds)) expect(files.some((name) => kind.test(name))).toBe(true)
  })
  afterAll(() => rm(profile, { recursive: true, force: true }))

  async function startDamaged(kind: keyof typeof kinds, how: keyof typeof damages): Promise<RunningApp> {
    const userData = await mkdtemp(join(tmpdir(), 'flightplan-damaged-'))
    await cp(profile, userData, { recursive: true })
    const folder = await folderOf(userData)
    for (const name of await readdir(folder)) if (kinds[kind].test(name)) await damages[how](join(folder, name))
    return launchApp({ userData, clock })
  }

  it.each(drawn(cases, 2))('loses no edit and says so: $kind $how', async ({ kind, how }) => {
    const app = await startDamaged(kind, how)
    const { page, userData } = app
    await page
      .getByRole('button', { name: /Never sent/ })
      .first()
      .waitFor()
    await nothingPending(page)
    expect(await titlesOnService(page)).toEqual(
      new Map([
        ['Never sent', 1],
        ['Sent before', 1],
      ]),
    )
    for (const title of [/Never sent/, /Sent before/])
      await expect.poll(() => page.getByRole('button', { name: title }).count()).toBe(1)
    // What undo needs is only in the database.
    const isLost = (await undoSteps(page)) === 0
    await expect.poll(() => page.getByText('Your data is downloading again').count()).toBe(isLost ? 1 : 0)
    const aside = join(userData, 'IndexedDB damaged')
    await expect
      .poll(() => page.getByText(`You can find the damaged files in ${aside}.`).count())
      .toBe(existsSync(aside) ? 1 : 0)
    await app.close()
    await rm(userData, { recursive: true, force: true })
  })

  it('that Chromium can’t open is moved aside, and no longer stops the app', async () => {
    const { page, userData, close } = await startDamaged('current', 'replaced by a folder')
    await page.getByText('The local database was damaged').first().waitFor()
    const aside = join(userData, 'IndexedDB damaged')
    expect(await readdir(aside)).toEqual(await readdir(join(userData, 'IndexedDB')))
    await close()
    await rm(userData, { recursive: true, force: true })
  })

  it('that Chromium empties while the app is open is downloaded again', async () => {
    const { page, userData, close } = await startDamaged('table', 'flipped in one byte')
    await nothingPending(page)
    expect(await undoSteps(page)).toBeGreaterThan(0)
    await page.evaluate(readLog).catch(() => undefined)
    await page.getByText('Your data is downloading again').first().waitFor()
    await nothingPending(page)
    for (const title of [/Never sent/, /Sent before/])
      await expect.poll(() => page.getByRole('button', { name: title }).count()).toBe(1)
    await close()
    await rm(userData, { recursive: true, force: true })
  })
})
