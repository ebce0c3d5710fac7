import type { Page } from 'playwright-core'
import type { RequestAnswers, SentAnswer } from '#shared/ipc/contract'
import { rowOf, type Body, type Dead } from '../../src-renderer/replica/blocks/block'

/** Contents of the replica, read from IndexedDB directly. */
export interface ReplicaDump {
  rows: Array<{ collection: string; parent: string | null; id: string; base: Record<string, unknown>; etag?: string }>
  outbox: Array<{ id: string; state: string; label: string }>
  history: Array<{ entry: { id: string }; how: string }>
}

/** A block as it crosses from the page: typed arrays do not. */
interface SentBlock {
  key: string
  text: string
  ends: number[]
}

export async function dumpReplica(page: Page): Promise<ReplicaDump> {
  const { bodies, dead, ...dump } = await page.evaluate(async () => {
    const opened = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('flightplan-sandbox')
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(new Error('Couldn’t open the database'))
    })
    // One transaction: folding moves rows from one table to another.
    const transaction = opened.transaction(['rows', 'outbox', 'history', 'bodies', 'dead'])
    const all = (table: string): Promise<unknown[]> =>
      new Promise((resolve, reject) => {
        const request = transaction.objectStore(table).getAll()
        request.onsuccess = () => resolve(request.result as unknown[])
        request.onerror = () => reject(new Error(`Couldn’t read ${table}`))
      })
    const [rows, outbox, history, bodies, dead] = await Promise.all(
      ['rows', 'outbox', 'history', 'bodies', 'dead'].map(all),
    )
    opened.close()
    const sent = (bodies as Body[]).map(({ key, text, ends }) => ({ key, text, ends: Array.from(ends) }))
    return JSON.parse(JSON.stringify({ rows, outbox, history, bodies: sent, dead })) as ReplicaDump & {
      bodies: SentBlock[]
      dead: Dead[]
    }
  })
  const gone = new Map(dead.map(({ key, rows }) => [key, new Set(rows)]))
  const laid = bodies.flatMap(({ key, text, ends }) => {
    const body: Body = { key, text, ends: Uint32Array.from(ends) }
    return ends.flatMap((_end, index) => (gone.get(key)?.has(index) ? [] : [rowOf(body, index)]))
  })
  return { ...dump, rows: [...dump.rows, ...laid] as ReplicaDump['rows'] }
}

interface Target {
  collection: 'events' | 'tasks' | 'calendarList' | 'tasklists'
  parent: string | null
}

/** Every record of these collections as the service lists them now: `collection parent id` to etag. */
export async function listService(
  page: Page,
  targets: readonly Target[],
): Promise<Map<string, { etag?: string; value: Record<string, unknown> }>> {
  const found = new Map<string, { etag?: string; value: Record<string, unknown> }>()
  for (const target of targets) {
    let next: string | null = null
    do {
      const answer: SentAnswer<'sync/pull'> = await page.evaluate(
        ([{ collection, parent }, pageToken]: readonly [Target, string | null]) =>
          window.flightplan.ask('sync/pull', {
            accountId: 'sandbox',
            collection,
            parent,
            cursor: null,
            page: pageToken,
          }),
        [target, next] as readonly [Target, string | null],
      )
      if (!answer.ok) throw new Error(answer.fault.message)
      const sent = JSON.parse(answer.value) as RequestAnswers['sync/pull']
      for (const { id, etag, value } of sent.records) {
        if (value && value['deleted'] !== true)
          found.set(`${target.collection} ${target.parent} ${id}`, { etag, value })
      }
      next = sent.nextPage ?? null
    } while (next)
  }
  return found
}

export interface Audit {
  /** Acknowledged edits that are neither done nor waiting for the user. */
  lost: string[]
  /** Titles of this walk that the service holds more than once. */
  duplicated: string[]
  /** Records that replica and service do not agree on. */
  different: string[]
}

/** Compares replica and service record by record, and every acknowledged edit with its end. */
export async function audit(page: Page, edits: ReadonlySet<string>, titles: readonly string[]): Promise<Audit> {
  const dump = await dumpReplica(page)
  const parents = (collection: string): string[] =>
    dump.rows.filter((row) => row.collection === collection).map(({ id }) => id)
  const targets: Target[] = [
    ...parents('calendarList').map((parent) => ({ collection: 'events' as const, parent })),
    ...parents('tasklists').map((parent) => ({ collection: 'tasks' as const, parent })),
  ]
  const service = await listService(page, targets)
  const here = new Map(
    dump.rows
      .filter(({ collection }) => collection === 'events' || collection === 'tasks')
      .map((row) => [`${row.collection} ${row.parent} ${row.id}`, row]),
  )
  const different = [...service].filter(([key, { etag }]) => here.get(key)?.etag !== etag).map(([key]) => key)
  for (const key of here.keys()) if (!service.has(key)) different.push(key)
  const ended = new Set([...dump.history.map(({ entry }) => entry.id), ...dump.outbox.map(({ id }) => id)])
  const count = new Map<string, number>()
  for (const { value } of service.values()) {
    const title = String(value['summary'] ?? value['title'] ?? '')
    if (!value['recurringEventId']) count.set(title, (count.get(title) ?? 0) + 1)
  }
  return {
    lost: [...edits].filter((id) => !ended.has(id)).concat(titles.filter((title) => !count.has(title))),
    duplicated: titles.filter((title) => (count.get(title) ?? 0) > 1),
    different,
  }
}
