import { parseRecordKey, recordKey } from '#shared/domain/collections'
import type { OutboxEntry } from '#shared/mutation/entry'
import { ownKey } from '#shared/mutation/fold'
import { localIdsIn } from '#shared/mutation/local-ids'
import type { Change } from '../../../src-renderer/replica/api'
import type { Device } from './device'
import { wordsIn, type Ledger } from './ledger'
import { seriesKeyOf } from './planning'

/** An acknowledged edit that must be found again. */
interface Promised {
  device: string
  marker: string
  key: string
  field: string
  /** The ledger's moment. */
  turn: number
  /** Words of later unacknowledged edits of the field: each may have replaced it. */
  or: string[]
  /** True if an unacknowledged edit may have ended it. */
  unsure?: true
}

/** What one edit promises. */
export interface Pledge {
  /** The field with the edit's word. A later edit of it ends the promise. */
  field?: string
  /** Keys of records whose promises end. */
  ends?: readonly string[]
  /** Words the edit removes on purpose. */
  replaces?: readonly string[]
}

interface Before {
  /** Keys of records that are removed along. */
  along: string[]
  /** Keys of records that are already gone. */
  gone: Set<string>
  /** Words the user sees and removes. */
  seen: Set<string>
}

/** Acknowledged edits: where each is, and which ones their author has ended. */
export class Promises {
  /** Promises that vanished although no one ended them. */
  readonly lost: string[] = []
  readonly unjudged: string[] = []
  judged = 0
  private kept: Promised[] = []
  /** Keys of the records that a device's edit created or restored. */
  private readonly created = new Map<string, string[]>()
  /** The key of the record that a new one was placed in, by its key. */
  private readonly places = new Map<string, string>()
  /** Promises that an edit took to other records, by its word. */
  private readonly carried = new Map<string, { one: Promised; from: string; to: string }[]>()
  /** A record's keys before a restart. */
  private readonly aliases = new Map<string, string>()

  constructor(private readonly ledger: Ledger) {}

  /** Notes what an edit is about to end. */
  before(device: Device, { ends = [] }: Pledge, changes: readonly Change[]): Before {
    const along = ends.flatMap((ended) => restingOn(device, ended))
    const gone = new Set(this.of(device).flatMap(({ key }) => (isGone(device, key) ? [key] : [])))
    const seen = new Set(changes.flatMap((change) => [...wordsReplaced(device, change)]))
    for (const key of ends) for (const word of wordsIn(device.replica.peek(key)?.value)) seen.add(word)
    return { along, gone, seen }
  }

  /** An edit was made, or crashed midway: then it has no keys and promises nothing. */
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
      this.end(device, (one) => this.isRemovedWith(device, one.key, ended, before.gone), acknowledged)
    const lies = (key: string): boolean => device.replica.peek(key) !== undefined
    this.end(device, ({ key }) => before.along.includes(key) && !lies(key), acknowledged)
    this.end(device, (one) => replaces.includes(one.marker) || before.seen.has(one.marker), acknowledged)
    if (keys) this.carry(device, marker, changes, keys)
    const created = keys?.filter((_key, index) => ['create', 'restore'].includes(changes[index]!.kind)) ?? []
    if (created.length > 0) this.created.set(`${device.name} ${marker}`, created)
    for (const [index, change] of changes.entries())
      if (keys && change.kind === 'create' && change.place?.parent !== undefined)
        this.places.set(keys[index]!, recordKey(change.collection, change.parent, change.place.parent))
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

  /** Exceptions of a split or moved series continue in others. */
  private carry(device: Device, marker: string, changes: readonly Change[], keys: readonly string[]): void {
    const hidden = changes.flatMap((change) => (change.kind === 'change' ? (change.hides ?? []) : []))
    const carried: { one: Promised; from: string; to: string }[] = []
    for (const one of this.of(device)) {
      // Its calendar may have changed since.
      const isCarried = one.marker !== marker && hidden.some((key) => this.same(device, one.key, key))
      const at = isCarried ? changes.findIndex((change) => wordsOfChange(change).has(one.marker)) : -1
      if (at < 0) continue
      carried.push({ one, from: one.key, to: keys[at]! })
      one.key = keys[at]!
    }
    this.carried.set(`${device.name} ${marker}`, carried)
  }

  /** A user restored an older snapshot, so anything unsent since is gone. */
  setBack(device: Device, turn: number): void {
    this.end(device, (one) => one.turn > turn && !this.ledger.reached(one.marker), true)
  }

  /**
   * An edit was undone or redone. Undoing a creation or a restoration removes the edits on top of it, which an older database may
   * not know, and new records and occurrences inside one that was never sent. Redo brings those back.
   */
  undone(device: Device, label: string): void {
    const created = this.created.get(`${device.name} ${label}`) ?? []
    const lies = (key: string): boolean => device.replica.peek(key) !== undefined
    const isIn = (key: string, holder: string): boolean => {
      if (lies(holder) || lies(key)) return false
      const within = this.places.get(key) ?? seriesKeyOf(key)
      if (within !== undefined && (this.same(device, within, holder) || isIn(within, holder))) return true
      return this.idsOf(device, holder).includes(parseRecordKey(key).parent ?? '')
    }
    const ends = (key: string): boolean => created.some((one) => this.same(device, one, key) || isIn(key, one))
    this.end(device, (one) => one.marker === label || ends(one.key), true)
    for (const { one, from, to } of this.carried.get(`${device.name} ${label}`) ?? [])
      if (one.key === to) one.key = from
      else if (one.key === from) one.key = to
  }

  /** Checks before a user discards something: what's missing now was lost earlier. */
  check(device: Device): void {
    const listed = wordsListed(device)
    for (const one of this.of(device)) if (!this.isSafe(one, listed)) this.lose(one)
  }

  /** Of a device's promises, keeps those that are pending or have arrived. The user gave up the rest. */
  keepOnly(device: Device, withdrawn?: OutboxEntry): void {
    const outbox = device.replica.outbox()
    const held = new Set(outbox.flatMap(({ patch }) => [...wordsIn(patch)]))
    // One edit may have written the word to several records, of which only this one was discarded. Later edits of the same list
    // have it in their base, too.
    const writes = ({ base, patch }: OutboxEntry, word: string): boolean =>
      wordsIn(patch).has(word) && !wordsIn(base ?? {}).has(word)
    const isGivenUp = ({ key, marker }: Promised): boolean =>
      withdrawn !== undefined &&
      this.same(device, key, ownKey(withdrawn)) &&
      !outbox.some((entry) => this.same(device, key, ownKey(entry)) && writes(entry, marker))
    this.end(device, (one) => !(held.has(one.marker) && !isGivenUp(one)) && !this.ledger.reached(one.marker), true)
  }

  /** A user was asked whether to remove these records, too, and did. One of them may be a creation whose answer was lost. */
  removed(device: Device, keys: readonly string[]): void {
    const unsure = device.replica.outbox().filter(({ candidates = [] }) => candidates.some((key) => keys.includes(key)))
    const all = [...keys, ...unsure.map(ownKey)]
    this.end(device, (one) => all.some((key) => this.same(device, key, one.key)), true)
  }

  /** A user saw these words of a record and kept others. */
  replaced(device: Device, key: string, words: ReadonlySet<string>): void {
    this.end(device, (one) => words.has(one.marker) && this.same(device, one.key, key), true)
  }

  /** A recreated record has a new ID, under which it may be deleted. */
  follow(device: Device, before: ReadonlySet<string>): void {
    const made = device.replica.outbox().filter(({ id, kind }) => kind === 'create' && !before.has(id))
    if (made.length === 0) return
    for (const promised of this.of(device)) {
      const entry = made.find(({ patch }) => wordsIn(patch).has(promised.marker))
      if (entry) promised.key = recordKey(entry.collection, entry.parent, entry.recordId)
    }
  }

  /** A new window no longer knows the old one's local IDs. */
  restarts(device: Device): void {
    for (const { key } of this.of(device)) {
      const now = device.replica.realKey(key)
      if (now !== key) this.aliases.set(`${device.name} ${key}`, now)
    }
    for (const [name, keys] of this.created)
      if (name.startsWith(`${device.name} `))
        this.created.set(name, [...new Set(keys.flatMap((key) => [key, device.replica.realKey(key)]))])
  }

  /** The final check: every promise is on the service, pending, or ended by someone else. */
  audit(devices: readonly Device[]): void {
    for (const device of devices) {
      const listed = wordsListed(device)
      for (const one of this.of(device)) {
        this.judged++
        // A split copied words to another record, and removing the copy doesn't matter.
        const ids = this.idsOf(device, one.key)
        const words = [one.marker, ...one.or].filter((word) => listed.has(word) || this.ledger.reached(word))
        if (words.length === 0) this.lose(one)
        else if (
          words.every(
            (word) =>
              !listed.has(word) && this.ledger.removerOf(word, ids) === device.name && !this.ledger.slippedAway(word),
          )
        )
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

  /** True if a record is removed along with another: subtasks, and occurrences of a series. */
  private isRemovedWith(device: Device, key: string, ended: string, gone: ReadonlySet<string>): boolean {
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

/** Words in the fields that a change overwrites without repeating them. */
function wordsReplaced(device: Device, change: Change): Set<string> {
  if (change.kind !== 'change' && change.kind !== 'places') return new Set()
  const value = device.replica.peek(change.key)?.value
  const fields = change.kind === 'change' ? Object.keys(change.patch) : change.edits.map(({ path }) => path)
  const words = wordsIn(fields.map((field) => value?.[field]))
  for (const word of wordsOfChange(change)) words.delete(word)
  return words
}

const wordsOfChange = (change: Change): Set<string> =>
  wordsIn(
    change.kind === 'create'
      ? change.value
      : change.kind === 'change'
        ? change.patch
        : change.kind === 'places'
          ? change.edits
          : null,
  )

const idOf = (key: string): string => key.split('\n')[2]!

const isGone = (device: Device, key: string): boolean => device.replica.peek(key)?.value === null

/** Words of pending edits, also of the records that they bring back. */
const wordsListed = (device: Device): Set<string> =>
  wordsIn(device.replica.outbox().map(({ patch, base, shows }) => [patch, base, shows]))

/** Keys of new records that depend on a new one, directly or not: some can't exist without it. */
function restingOn(device: Device, key: string): string[] {
  const names = new Set([idOf(key)])
  const found: string[] = []
  // Created in the order in which they can refer to each other.
  for (const { collection, parent, recordId, patch, kind } of device.replica.outbox())
    if (kind === 'create' && localIdsIn(patch).some((id) => names.has(id))) {
      names.add(recordId)
      found.push(recordKey(collection, parent, recordId))
    }
  return found
}
