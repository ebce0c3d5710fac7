import { describe, expect, it, vi } from 'vitest'
import { objectsAt } from '#shared/checks/checked-values'
import { parseRecordKey, recordKey, type CollectionName } from '#shared/domain/collections'
import { valueAt } from '#shared/fields/path'
import type { JsonObject } from '#shared/json'
import { insideOf } from '../../src-renderer/views/campaigns/nested-flights'
import { MoveAlong } from '../../src-renderer/views/campaigns/move-along.svelte'
import { spanOf } from '../../src-renderer/views/campaigns/flights'
import type { LooseModel } from '../helpers/campaigns-model'
import { shiftFlights } from '../../src-renderer/views/campaigns/shifting'
import { cellsForFile } from '../helpers/cells-for-file'

const { device, profile, show } = cellsForFile()

const keysOf = ({ model }: LooseModel): string[] =>
  Array.from({ length: model.rows!.length }, (_unused, row) => model.rows!.key(row))
const valueOf = async (key: string): Promise<JsonObject> => (await device.replica.read(key))!.value!
const startOf = async (key: string): Promise<string> =>
  spanOf(device.replica.facts.of(parseRecordKey(key).collection), await valueOf(key))!.start
const kindsOf = (keys: readonly string[]): CollectionName[] =>
  [...new Set(keys.map((key) => parseRecordKey(key).collection))].sort()
/** The first record of a list with flights inside. */
async function holder(list: LooseModel): Promise<{ key: string; inside: string[] }> {
  for (const key of keysOf(list)) {
    const inside = (await insideOf(list.model, [key])).map((row) => row.key)
    if (inside.length > 0) return { key, inside }
  }
  throw new Error('No flight with others inside')
}
const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)

describe('flights inside of moved ones', () => {
  it('are those of a campaign that haven’t ended', async () => {
    const list = await show('campaigns')
    const { key, inside } = await holder(list)
    const { id } = parseRecordKey(key)
    expect(kindsOf(inside)).toEqual(expect.arrayContaining(['ads', 'placements']))
    for (const one of inside) {
      const value = await valueOf(one)
      expect(value['campaignId']).toBe(id)
      expect(value['archived']).not.toBe(true)
      expect(value['type']).not.toBe('AD_SERVING_DEFAULT_AD')
    }
  })

  it('are the placements of a package, with their ads', async () => {
    const { key, inside } = await holder(await show('placementGroups'))
    const { id } = parseRecordKey(key)
    expect(kindsOf(inside)).toEqual(['ads', 'placements'])
    for (const one of inside.filter((one) => kindsOf([one])[0] === 'placements'))
      expect((await valueOf(one))['placementGroupId']).toBe(id)
  })

  it('are ads of a placement, unless they serve others that stay', async () => {
    const list = await show('placements')
    const { key, inside } = await holder(list)
    const { id } = parseRecordKey(key)
    const [ad] = inside
    const value = await valueOf(ad!)
    expect(objectsAt(value, 'placementAssignments').map(({ placementId }) => placementId)).toEqual([id])
    const other = keysOf(list).find((one) => one !== key)!
    const placementAssignments = [
      ...objectsAt(value, 'placementAssignments'),
      { placementId: parseRecordKey(other).id, active: true },
    ]
    await device.replica.edit([{ kind: 'change', key: ad!, patch: { placementAssignments } }], { label: 'Add' })
    expect((await insideOf(list.model, [key])).map((row) => row.key)).not.toContain(ad)
  })

  it('include an ad that ends with the last day, whatever the zone', async () => {
    const list = await show('placements')
    const { key, inside } = await holder(list)
    const end = String(valueAt(await valueOf(key), 'pricingSchedule.endDate'))
    for (const endTime of [`${end}T21:59:00Z`, new Date(Date.parse(`${end}T23:59:00-07:00`)).toISOString()]) {
      await device.replica.edit([{ kind: 'change', key: inside[0]!, patch: { endTime } }], { label: 'End' })
      expect((await insideOf(list.model, [key])).map((row) => row.key)).toContain(inside[0])
    }
  })

  it('aren’t those that reach beyond it', async () => {
    const list = await show('placements')
    const { key, inside } = await holder(list)
    const end = String(valueAt(await valueOf(key), 'pricingSchedule.endDate'))
    const endTime = new Date(Date.parse(end) + 3 * 86_400_000).toISOString()
    await device.replica.edit([{ kind: 'change', key: inside[0]!, patch: { endTime } }], { label: 'Extend' })
    expect((await insideOf(list.model, [key])).map((row) => row.key)).not.toContain(inside[0])
  })
})

describe('moving', () => {
  it('asks again about records that came or went while the question was open', async () => {
    const list = await show('campaigns')
    const { key, inside } = await holder(list)
    const before = await Promise.all(inside.map(startOf))
    const asked: string[] = []
    const ask = async (_account: object, words: string): Promise<boolean> => {
      asked.push(words)
      if (asked.length === 1)
        await device.replica.edit([{ kind: 'change', key: inside[0]!, patch: { archived: true } }], { label: 'End' })
      return true
    }
    Object.assign(list.model, { along: { ask } })
    await shiftFlights(list.model, [key], 'move', 2)
    expect(asked).toHaveLength(2)
    expect(asked[1]).not.toBe(asked[0])
    const after = await Promise.all(inside.map(startOf))
    expect(daysBetween(before[0]!, after[0]!)).toBe(0)
    expect(daysBetween(before[1]!, after[1]!)).toBe(2)
  })

  /** Answers the question as soon as it's asked. */
  const answering = (list: LooseModel, along: boolean | null, remember = false): string[] => {
    const asked: string[] = []
    const question = new MoveAlong()
    Object.assign(list.model, {
      along: {
        ask: async (...[replica, words]: Parameters<MoveAlong['ask']>) => {
          const found = question.ask(replica, words)
          let isOver = false
          void found.then(() => (isOver = true))
          await expect.poll(() => question.asked !== null || isOver).toBe(true)
          if (question.asked) asked.push(question.asked.words)
          question.answer(replica, along, remember)
          return found
        },
      },
    })
    return asked
  }

  it('takes them along in one step, or leaves them, or moves nothing', async () => {
    const list = await show('campaigns')
    const { key, inside } = await holder(list)
    const all = [key, ...inside]
    const starts = async (): Promise<string[]> => Promise.all(all.map(startOf))
    const before = await starts()
    const moved = async (): Promise<number[]> => (await starts()).map((start, at) => daysBetween(before[at]!, start))

    answering(list, null)
    await shiftFlights(list.model, [key], 'move', 2)
    expect(new Set(await moved())).toEqual(new Set([0]))

    const asked = answering(list, true)
    const edit = vi.spyOn(list.model.app, 'edit')
    await shiftFlights(list.model, [key], 'move', 2)
    expect(asked).toHaveLength(1)
    expect(new Set(await moved())).toEqual(new Set([2]))
    expect(edit.mock.calls.at(-1)![2]?.text).toMatch(new RegExp(`^Changed ${all.length} records: `))
    expect(device.replica.undoable.undo).toMatch(/^Move \*.+\* with .+ 2 days later$/)
    await device.replica.undo()
    expect(await starts()).toEqual(before)

    // An end takes nothing along.
    const other = answering(list, true)
    await shiftFlights(list.model, [key], 'end', 1)
    expect(other).toEqual([])
    await device.replica.undo()

    answering(list, false, true)
    await shiftFlights(list.model, [key], 'move', 2)
    expect((await moved())[0]).toBe(2)
    expect(new Set((await moved()).slice(1))).toEqual(new Set([0]))
    // The answer is remembered.
    const again = answering(list, true)
    await shiftFlights(list.model, [key], 'move', -2)
    expect(again).toEqual([])
    expect(await starts()).toEqual(before)
    expect(recordKey('campaigns', profile(), parseRecordKey(key).id)).toBe(key)
  })
})
