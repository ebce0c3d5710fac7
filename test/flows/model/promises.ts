import { recordKey } from '#shared/domain/collections'
import type { OutboxEntry } from '#shared/mutation/entry'
import { ownKey } from '#shared/mutation/fold'
import { localIdsIn } from '#shared/mutation/local-ids'
import type { Change } from '../../../src-renderer/replica/api'
import type { Device } from './device'
import { wordsIn, type Ledger } from './ledger'

/** An edit that was acknowledged and must be found again. */
interface Promised {
  device: string
  marker: string
  key: string
  field: string
  /** When, as the ledger counts. */
  turn: number
  /** Words of later edits of the field that were never acknowledged: each may have taken its place. */
  or: string[]
  /** An edit that was never acknowledged may have ended it. */
  unsure?: true
}

/** What one edit promises. */
export interface Pledge {
  /** What is written by the word of the edit; a later edit of the same field ends it. */
  field?: string
  /** Keys of records with which all promises end. */
  ends?: readonly string[]
  /** Words that the edit takes away on purpose. */
  replaces?: readonly string[]
}

interface Before {
  /** Keys of records that go along. */
  along: string[]
  /** Keys of records that are gone already. */
  gone: Set<string>
  /** Words that the person sees and takes away. */
  seen: Set<string>
}

/** The edits that people were promised: where each is, and which of them their own author has ended. */
export class Promises {
  /** Those that were nowhere while nobody had ended them. */
  readonly lost: string[] = []
  readonly unjudged: string[] = []
  judged = 0
  private kept: Promised[] = []
  /** Keys of the records that an edit of a device created. */
  private readonly created = new Map<string, string[]>()
  /** Keys by which a record was known before a restart. */
  private readonly aliases = new Map<string, string>()

  constructor(private readonly ledger: Ledger) {}

  /** What an edit is about to end, as it stands before. */
  before(device: Device, { ends = [] }: Pledge, changes: readonly Change[]): Before {
    const along = ends.flatMap((ended) => restingOn(device, ended))
    const gone = new Set(this.of(device).flatMap(({ key }) => (isGone(device, key) ? [key] : [])))
    const seen = new Set(changes.flatMap((change) => [...wordsReplaced(device, change)]))
    for (const key of ends) for (const word of wordsIn(device.replica.peek(key)?.value)) seen.add(word)
    return { along, gone, seen }
  }

  /** An edit was made, or died on the way: then it has no keys, and nobody was promised anything. */
  made(
    device: Device,
    marker: string,
    { field, ends = [], replaces = [] }: Pledge,
    changes: readonly Change[],
    keys: readonly string[] | undefined,
    before: Before,
  ): void {
    const acknowledged = keys !== undefined
    for (const ended of ends)
      this.end(device, (one) => this.goesWith(device, one.key, ended, before.gone), acknowledged)
    const lies = (key: string): boolean => device.replica.peek(key) !== undefined
    this.end(device, ({ key }) => before.along.includes(key) && !lies(key), acknowledged)
    this.end(device, (one) => replaces.includes(one.marker) || before.seen.has(one.marker), acknowledged)
    if (keys) this.carry(device, marker, changes, keys)
    const created = keys?.filter((_key, index) => changes[index]!.kind === 'create') ?? []
    if (created.length > 0) this.created.set(`${device.name} ${marker}`, created)
    if (field === undefined) return
    const written = changes.flatMap((change, index) => {
      const key = keys?.[index] ?? ('key' in change ? change.key : undefined)
      return key !== undefined && wordsOfChange(change).has(marker) ? [key] : []
    })
    const same = this.of(device).filter(
      (one) => one.field === field && written.some((key) => this.same(device, one.key, key)),
    )
    if (!acknowledged) for (const one of same) one.or.push(marker)
    else {
      this.kept = this.kept.filter((one) => !same.includes(one))
      for (const key of written)
        this.kept.push({ device: device.name, key, field, marker, or: [], turn: this.ledger.moment() })
    }
  }

  /** Exceptions of a series that is split or moved live on in others. */
  private carry(device: Device, marker: string, changes: readonly Change[], keys: readonly string[]): void {
    const hidden = new Set(changes.flatMap((change) => (change.kind === 'change' ? (change.hides ?? []) : [])))
    if (hidden.size === 0) return
    for (const one of this.of(device)) {
      const at = hidden.has(one.key) ? changes.findIndex((change) => wordsOfChange(change).has(one.marker)) : -1
      if (at >= 0 && one.marker !== marker) one.key = keys[at]!
    }
  }

  /** A person has put an older copy of everything in place: what was made since and never left is in none of it. */
  setBack(device: Device, turn: number): void {
    this.end(device, (one) => one.turn > turn && !this.ledger.reached(one.marker), true)
  }

  /** An edit was taken back, or done again: taking back a creation takes the edits on top of it along. */
  undone(device: Device, label: string): void {
    const created = this.created.get(`${device.name} ${label}`) ?? []
    this.end(device, (one) => one.marker === label || created.some((key) => this.same(device, key, one.key)), true)
  }

  /** Before a person lets something go: whatever is nowhere by now was lost before. */
  check(device: Device): void {
    const listed = wordsListed(device)
    for (const one of this.of(device)) if (!this.isSafe(one, listed)) this.lose(one)
  }

  /** Of what was promised on a device, what is still waiting or has arrived; the person gave up the rest. */
  keepOnly(device: Device, withdrawn?: OutboxEntry): void {
    const outbox = device.replica.outbox()
    const held = new Set(outbox.flatMap(({ patch }) => [...wordsIn(patch)]))
    // One edit may have written the word into several records, of which only this one was given up.
    const isGivenUp = ({ key, marker }: Promised): boolean =>
      withdrawn !== undefined &&
      this.same(device, key, ownKey(withdrawn)) &&
      !outbox.some((entry) => this.same(device, key, ownKey(entry)) && wordsIn(entry.patch).has(marker))
    this.end(device, (one) => !(held.has(one.marker) && !isGivenUp(one)) && !this.ledger.reached(one.marker), true)
  }

  /** What was gone and is made again has a new id, by which it may be deleted. */
  follow(device: Device, before: ReadonlySet<string>): void {
    const made = device.replica.outbox().filter(({ id, kind }) => kind === 'create' && !before.has(id))
    if (made.length === 0) return
    for (const promised of this.of(device)) {
      const entry = made.find(({ patch }) => wordsIn(patch).has(promised.marker))
      if (entry) promised.key = recordKey(entry.collection, entry.parent, entry.recordId)
    }
  }

  /** A new window knows the made-up ids of the old one no more. */
  restarts(device: Device): void {
    for (const { key } of this.of(device)) {
      const now = device.replica.realKey(key)
      if (now !== key) this.aliases.set(`${device.name} ${key}`, now)
    }
  }

  /** The last judgment: whatever is promised is at the service, waits, or was ended by someone else. */
  audit(devices: readonly Device[]): void {
    for (const device of devices) {
      const listed = wordsListed(device)
      for (const one of this.of(device)) {
        this.judged++
        // A split has copied words into another record: who took the copy away doesn't matter.
        const ids = this.idsOf(device, one.key)
        const words = [one.marker, ...one.or].filter((word) => listed.has(word) || this.ledger.reached(word))
        if (words.length === 0) this.lose(one)
        else if (words.every((word) => !listed.has(word) && this.ledger.removerOf(word, ids) === device.name))
          this.lose(one, ', taken away by its own author unasked')
      }
    }
  }

  private of({ name }: Device): Promised[] {
    return this.kept.filter(({ device }) => device === name)
  }

  private isSafe({ marker, or }: Promised, listed: ReadonlySet<string>): boolean {
    return [marker, ...or].some((word) => listed.has(word) || this.ledger.reached(word))
  }

  private lose(one: Promised, how = ''): void {
    const line = `${one.marker} (${one.field}) of ${one.device}${how}`
    if (one.unsure) this.unjudged.push(`promise ${line}`)
    else this.lost.push(line)
    this.kept = this.kept.filter((other) => other !== one)
  }

  private end(device: Device, ended: (one: Promised) => boolean, acknowledged: boolean): void {
    this.kept = this.kept.filter((one) => {
      if (one.device !== device.name || !ended(one)) return true
      if (acknowledged) return false
      one.unsure = true
      return true
    })
  }

  /** What lies inside goes along: subtasks, and occurrences of a series. */
  private goesWith(device: Device, key: string, ended: string, gone: ReadonlySet<string>): boolean {
    const other = device.replica.peek(key)?.key ?? key
    return (
      this.same(device, key, ended) ||
      idOf(other).startsWith(`${idOf(ended)}_`) ||
      (isGone(device, key) && !gone.has(key))
    )
  }

  private same(device: Device, a: string, b: string): boolean {
    if (a === b) return true
    const known = new Set(this.idsOf(device, a))
    return this.idsOf(device, b).some((id) => known.has(id))
  }

  /** The IDs that a record had and has. */
  private idsOf(device: Device, key: string): string[] {
    const alias = this.aliases.get(`${device.name} ${key}`)
    return [key, ...(alias ? [alias] : [])].flatMap((one) => [one, device.replica.realKey(one)]).map((one) => idOf(one))
  }
}

/** Words in the fields that a change writes, where it does not write them again. */
function wordsReplaced(device: Device, change: Change): Set<string> {
  if (change.kind !== 'change') return new Set()
  const value = device.replica.peek(change.key)?.value
  const words = wordsIn(Object.keys(change.patch).map((field) => value?.[field]))
  for (const word of wordsIn(change.patch)) words.delete(word)
  return words
}

const wordsOfChange = (change: Change): Set<string> =>
  wordsIn(change.kind === 'create' ? change.value : change.kind === 'change' ? change.patch : null)

const idOf = (key: string): string => key.split('\n')[2]!

const isGone = (device: Device, key: string): boolean => device.replica.peek(key)?.value === null

const wordsListed = (device: Device): Set<string> =>
  wordsIn(device.replica.outbox().map(({ patch, base }) => [patch, base]))

/** Keys of new records that name a new one, or one that does: some are nothing without it. */
function restingOn(device: Device, key: string): string[] {
  const names = new Set([idOf(key)])
  const found: string[] = []
  // Made in the order in which they can refer to each other.
  for (const { collection, parent, recordId, patch, kind } of device.replica.outbox())
    if (kind === 'create' && localIdsIn(patch).some((id) => names.has(id))) {
      names.add(recordId)
      found.push(recordKey(collection, parent, recordId))
    }
  return found
}
