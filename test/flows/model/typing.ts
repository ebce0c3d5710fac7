import { recordKey } from '#shared/domain/collections'
import type { Change, Edited, Upon } from '../../../src-renderer/replica/api'
import type { Campaigns } from './campaigns'
import type { Device } from './device'
import { pickFrom } from './hands'

/** A field someone is typing into. What they saw when they began may change before they save. */
export interface Typed {
  key: string
  path: string
  text: string
  upon: Upon
  /** The ledger's moment at which they saw it. */
  turn: number
}

const from = Date.UTC(2026, 2, 1)
const to = Date.UTC(2026, 3, 1)

/** People who type into a field for a while, each into one at a time. */
export class Typing {
  private readonly open = new Map<string, Typed>()

  constructor(
    private readonly random: () => number,
    private readonly campaigns: Campaigns | undefined,
  ) {}

  of(device: Device): Typed | undefined {
    return this.open.get(device.name)
  }

  /** Begins to type a word into a field that others like to change, too. @returns undefined without a record */
  async begin(device: Device, text: string, moment: () => number): Promise<Typed | undefined> {
    const places = await this.places(device)
    if (places.length === 0) return undefined
    const [key, path] = pickFrom(this.random, places.slice(0, 6))
    const row = await device.replica.read(key)
    if (!row?.value) return undefined
    const { value, remoteSeq: seq } = row
    // A form knows the whole record, and a grid only its cells.
    const seen = this.random() < 0.5 ? { record: value } : { values: { [path]: value[path] ?? null } }
    const typed = { key, path, text, upon: { seq, ...seen }, turn: moment() }
    this.open.set(device.name, typed)
    return typed
  }

  /** The person looks at the record again, and means their text even so. */
  async again(device: Device, typed: Typed, moment: () => number): Promise<Typed | undefined> {
    const row = await device.replica.read(typed.key)
    if (!row?.value) return undefined
    return { ...typed, upon: { seq: row.remoteSeq, record: row.value }, turn: moment() }
  }

  /** Closes the field. */
  end(device: Device): void {
    this.open.delete(device.name)
  }

  private async places(device: Device): Promise<[key: string, path: string][]> {
    const { replica } = device
    const tasks = replica.rows('tasks').flatMap(({ key, parent }): [string, string][] =>
      parent && replica.peek(recordKey('tasklists', null, parent))?.value
        ? [
            [key, 'title'],
            [key, 'notes'],
          ]
        : [],
    )
    const events = replica
      .items(from, to)
      .flatMap(({ rowKey, masterId }): [string, string][] => (masterId ? [] : [[rowKey, 'summary']]))
    const seen = this.campaigns ? await this.campaigns.seenOn(device) : []
    const records = seen.flatMap(({ key, collection }): [string, string][] =>
      collection === 'placements' || collection === 'campaigns'
        ? [
            [key, 'name'],
            [key, 'comment'],
          ]
        : [],
    )
    return [...records.slice(0, 8), ...tasks.slice(0, 4), ...events.slice(0, 2)].sort(() => this.random() - 0.5)
  }
}

export const changesOf = ({ key, path, text, upon }: Typed): Change[] => [
  { kind: 'places', key, edits: [{ path, value: text }], upon },
]

/** True if everything typed was left, because someone else changed it or deleted the record. */
export const wasLeft = (edited: Edited | undefined): boolean => (edited?.left.length ?? 0) > 0
