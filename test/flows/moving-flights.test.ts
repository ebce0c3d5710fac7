import { describe, expect, it } from 'vitest'
import type { Json } from '#shared/json'
import type { Upon } from '../../src-renderer/replica/api'
import { shiftDates, shiftFlights } from '../../src-renderer/views/campaigns/shifting'
import { writeCells } from '../../src-renderer/views/campaigns/writing'
import { cellsForFile } from '../helpers/cells-for-file'
import { minasProfile } from '../helpers/whole-account'

const { cells, device, service, show } = cellsForFile()

const start = 'pricingSchedule.startDate'
const end = 'pricingSchedule.endDate'
const periods = 'pricingSchedule.pricingPeriods'
const shifted = (date: Json | undefined, days: number): string =>
  new Date(Date.parse(String(date)) + days * 86_400_000).toISOString().slice(0, 10)
const dates = async (row: number, ...paths: string[]): Promise<Json[]> =>
  Promise.all(paths.map(async (path) => (await cells.value(row, path)) ?? null))
const keyOf = (row: number): string => cells.model.rows!.key(row)

/** Splits the flight of a row into two prices. */
async function twoPrices(row: number): Promise<void> {
  const [first, last, price] = await dates(row, start, end, `${periods}.0`)
  const value = [
    { ...(price as object), startDate: first!, endDate: shifted(first, 2) },
    { ...(price as object), startDate: shifted(first, 3), endDate: last! },
  ]
  const key = keyOf(row)
  expect(await writeCells(cells.model, [{ key, path: periods, value }])).toMatchObject({ refused: [] })
}

describe('moving whole flights', () => {
  const all = [
    start,
    end,
    `${periods}.0.startDate`,
    `${periods}.0.endDate`,
    `${periods}.1.startDate`,
    `${periods}.1.endDate`,
  ]
  it('takes all pricing periods along, as one step', async () => {
    await twoPrices(0)
    const before = await dates(0, ...all)
    await shiftFlights(cells.model, [keyOf(0)], 'move', 3)
    expect(await dates(0, ...all)).toEqual(before.map((one) => shifted(one, 3)))
    expect(cells.messages.at(-1)).toBe('1 flight moved')
    expect(device.replica.undoable.undo).toMatch(/^Move \*.+\* 3 days later$/)
    await device.replica.undo()
    expect(await dates(0, ...all)).toEqual(before)
  })

  it('takes them along for whole rows of the grid, too', async () => {
    await twoPrices(1)
    const before = await dates(1, ...all)
    cells.select(1, 1, 'name')
    Object.assign(cells.model.selection, { wholeRows: true })
    // The second period then starts on the day on which the first one did.
    await shiftDates(cells.model, -3)
    expect(await dates(1, ...all)).toEqual(before.map((one) => shifted(one, -3)))
  })

  it('adds up for keys pressed twice', async () => {
    const before = await dates(0, start, end)
    const keys = [keyOf(0)]
    await Promise.all([shiftFlights(cells.model, keys, 'move', 1), shiftFlights(cells.model, keys, 'move', 1)])
    expect(await dates(0, start, end)).toEqual(before.map((one) => shifted(one, 2)))
  })

  it('keeps the time of day of ads', async () => {
    const ads = await show('ads')
    const times = ['startTime', 'endTime']
    const before = await Promise.all(times.map((path) => ads.value(0, path)))
    await shiftFlights(ads.model, [ads.model.rows!.key(0)], 'move', 1)
    const after = await Promise.all(times.map((path) => ads.value(0, path)))
    const clock = (at: Json | undefined): string =>
      new Date(String(at)).toLocaleTimeString('en', { timeZone: 'Europe/Berlin', hour12: false })
    expect(after.map(clock)).toEqual(before.map(clock))
    expect(after).not.toEqual(before)
  })
})

describe('moving one end', () => {
  it('leaves the other one', async () => {
    const [first, last] = await dates(0, start, end)
    await shiftFlights(cells.model, [keyOf(0), keyOf(1)], 'end', 2)
    expect(await dates(0, start, end)).toEqual([first, shifted(last, 2)])
    expect(device.replica.undoable.undo).toBe('Move the end of 2 placements 2 days later')
    await shiftFlights(cells.model, [keyOf(0)], 'start', -1)
    expect(await dates(0, start, end)).toEqual([shifted(first, -1), shifted(last, 2)])
    expect(device.replica.undoable.undo).toMatch(/^Move the start of \*.+\* 1 day earlier$/)
  })

  it('may end before it starts, as a draft', async () => {
    const [first, last] = await dates(0, start, end)
    const days = Math.round((Date.parse(String(last)) - Date.parse(String(first))) / 86_400_000) + 1
    await shiftFlights(cells.model, [keyOf(0)], 'end', -days)
    expect(await dates(0, start, end)).toEqual([first, shifted(first, -1)])
  })
})

describe('a flight that someone else moved since it was seen', () => {
  it('is left alone as a whole', async () => {
    const [key, other] = [keyOf(2), keyOf(3)]
    const seenOf = async (row: number): Promise<Upon> => {
      const [from, to] = await dates(row, start, end)
      return { seq: device.replica.remoteSeq(keyOf(row)), values: { [start]: from!, [end]: to! } }
    }
    const seen = new Map([
      [key, await seenOf(2)],
      [other, await seenOf(3)],
    ])
    const [first, last] = await dates(2, start, end)
    const row = (await device.replica.read(key))!
    const pricingSchedule = { ...(row.value!['pricingSchedule'] as object), endDate: shifted(last, -1) }
    const profileId = await minasProfile(service)
    await service.asMina('trafficking.placements.patch', { profileId, id: row.id }, { pricingSchedule })
    device.replica.syncNow()
    await expect.poll(() => cells.value(2, end)).toBe(shifted(last, -1))
    const before = await dates(3, start, end)
    await shiftFlights(cells.model, [key, other], 'move', 5, seen)
    expect(await dates(2, start, end)).toEqual([first, shifted(last, -1)])
    expect(await dates(3, start, end)).toEqual(before.map((one) => shifted(one, 5)))
    expect(cells.messages.at(-1)).toBe('1 flight moved. 1 cell skipped: Changed since you saw it')
  })
})
