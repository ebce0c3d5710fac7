import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Replica, TableQuery, TableRows } from '../../../../src-renderer/replica/api'
import { Counts } from '../../../../src-renderer/views/campaigns/counts.svelte'

const placements = { collection: 'placements', by: 'campaignId' } as const
const rowsOf = (rows: readonly (readonly [campaignId: string, archived?: boolean])[]): TableRows =>
  ({
    columns: ['campaignId', 'archived'],
    length: rows.length,
    cell: (row: number, column: number) => rows[row]![column],
  }) as unknown as TableRows

let answers: (() => Promise<TableRows>)[]
let asked: { collection: string; query: TableQuery }[]
const replica = {
  subscribe: () => () => undefined,
  table: (collection: string, query: TableQuery) => {
    asked.push({ collection, query })
    return answers.shift()!()
  },
} as unknown as Replica

beforeEach(() => {
  vi.useFakeTimers()
  answers = []
  asked = []
})
afterEach(() => {
  vi.useRealTimers()
})

it('counts unarchived references of each record, once however often requested', async () => {
  answers.push(async () => rowsOf([['5'], ['6'], ['5'], ['5', true]]))
  const counts = new Counts(replica)
  expect(counts.of(placements, '7')).toBeUndefined()
  expect(counts.of(placements, '7')).toBeUndefined()
  await vi.advanceTimersByTimeAsync(0)
  expect(counts.of(placements, '7')).toEqual(
    new Map([
      ['5', 2],
      ['6', 1],
    ]),
  )
  expect(asked).toMatchObject([{ collection: 'placements', query: { parent: '7' } }])
})

it('retries later after a failed count until one succeeds', async () => {
  const fails = (): Promise<TableRows> => Promise.reject(new Error('The disk cannot be read'))
  answers.push(fails, fails, async () => rowsOf([['5']]))
  const counts = new Counts(replica)
  expect(counts.of(placements, '7')).toBeUndefined()
  for (const failed of [1, 2]) {
    await vi.advanceTimersByTimeAsync(1_000)
    expect([asked.length, counts.of(placements, '7')]).toEqual([failed, undefined])
    await vi.advanceTimersByTimeAsync(4_000)
  }
  expect(asked).toHaveLength(3)
  expect(counts.of(placements, '7')).toEqual(new Map([['5', 1]]))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked).toHaveLength(3)
})
