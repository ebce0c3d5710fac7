import type { JsonObject } from '#shared/json'
import type { Row } from '../../../src-renderer/replica/api'
import type { Campaigns } from './campaigns'
import { listMade, madeIn, type Claims } from './claims'
import type { Device } from './device'
import { content } from './content'
import type { ModelService } from './service'

/** Creations that the service has more than once, by the word they were created with. */
export function duplicates(
  service: ModelService,
  campaigns: Campaigns | undefined,
  changed: ReadonlySet<string>,
  claims: Claims,
): { doubled: string[]; judged: number } {
  const copies = new Map<string, string[]>()
  const add = (made: string, copy: unknown): void => {
    const others = copies.get(made)
    if (others) others.push(JSON.stringify(copy))
    else copies.set(made, [JSON.stringify(copy)])
  }
  for (const name of service.shelves.keys()) {
    if (!/^(events|tasks) /.test(name)) continue
    for (const value of service.living(name)) {
      const made = madeIn(value)
      const { title, notes, status, parent } = value
      if (made && !value.recurringEventId) add(made, [name, title, notes, status, parent])
    }
  }
  for (const { made, name } of campaigns?.made() ?? []) add(made, name)
  for (const { title } of service.living('tasklists')) if (title !== 'poison') add(listMade(title), title)
  return {
    doubled: [...copies]
      .filter(([made, found]) => found.length > claims.of(made))
      .map(([made, found]) =>
        new Set(found).size > 1 || changed.has(made) ? `${made}, changed before it was looked for` : made,
      ),
    judged: copies.size,
  }
}

/** Differences between a computer and the service, and what's stuck there. */
export async function differences(
  device: Device,
  service: ModelService,
  campaigns: Campaigns | undefined,
): Promise<{ problems: string[]; judged: number }> {
  const problems: string[] = []
  let judged = 0
  const { replica, name } = device
  const waiting = replica.outbox()
  for (const entry of waiting) {
    const held =
      entry.dependsOn.some((id) => waiting.some((other) => other.id === id)) ||
      waiting.some((other) => other.id < entry.id && other.recordId === entry.recordId)
    // Discarding a creation also discards its dependents, so nothing may remain without its parent.
    if (entry.fault?.location?.startsWith('local:')) problems.push(`orphan on ${name}: ${entry.kind} ${entry.label}`)
    if (entry.state !== 'needsYou' && !held)
      problems.push(`stuck on ${name}: ${entry.kind} ${entry.collection} ${entry.label} ${entry.fault?.message ?? ''}`)
  }
  const touched = new Set(
    waiting.flatMap((entry) => [entry.recordId, ...(entry.shows ?? []).map((shown) => shown.key.split('\n')[2]!)]),
  )
  const compare = (what: string, mine: Map<string, JsonObject>, theirs: readonly JsonObject[]): void => {
    const real = new Map(theirs.map((value) => [String(value.id), value]))
    for (const [id, value] of mine) {
      if (touched.has(id)) continue
      judged++
      const there = real.get(id)
      if (!there) problems.push(`ghost on ${name}: ${what} ${id}`)
      else if (!isSame(content(there), content(value)))
        problems.push(
          `differs on ${name}: ${what} ${id} ${JSON.stringify(content(value))} / ${JSON.stringify(content(there))}`,
        )
    }
    for (const id of real.keys()) if (!mine.has(id) && !touched.has(id)) problems.push(`hole on ${name}: ${what} ${id}`)
  }
  const values = (rows: readonly Row[]): Map<string, JsonObject> => new Map(rows.map((row) => [row.id, row.value!]))
  compare('list', values(replica.rows('tasklists')), service.living('tasklists'))
  compare('calendar', values(replica.rows('calendarList')), service.living('calendarList'))
  for (const { id } of service.living('tasklists') as { id: string }[])
    compare(`task of ${id}`, values(replica.rows('tasks', id)), service.living(`tasks ${id}`))
  for (const { id } of service.living('calendarList') as { id: string }[]) {
    const stored = await device.stored('events', id)
    const living = stored.filter(({ base }) => base.status !== 'cancelled')
    compare(`event of ${id}`, new Map(living.map((row) => [row.id, row.base])), service.living(`events ${id}`))
    const canceled = stored.filter((row) => !living.includes(row) && service.hasOccurrence(`events ${id}`, row.id))
    const name = (row: { id: string }): [string, JsonObject] => [row.id, { id: row.id }]
    const theirs = service.canceled(`events ${id}`).map((key) => ({ id: key }))
    compare(`canceled occurrence of ${id}`, new Map(canceled.map(name)), theirs)
  }
  for (const { what, mine, theirs } of (await campaigns?.sides(device)) ?? []) compare(what, mine, theirs)
  return { problems, judged }
}

/** Field by field. Most have them in the same order. */
const isSame = (one: JsonObject, other: JsonObject): boolean =>
  JSON.stringify(one) === JSON.stringify(other) || JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))

const sorted = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
