import { parseInstanceId } from '#shared/domain/instances'
import type { JsonObject } from '#shared/json'

/** A lost update: someone's word was overwritten between the read of a record and the write that followed. */
export interface Slip {
  word: string
  /** The word's author, and who overwrote it. */
  of: string
  by: string
  record: string
  /** The moment of the write. */
  turn: number
}

/** What a call's author had seen: everything, or what had arrived by a moment. */
export type Sight = 'everything' | { until: number }

export interface JudgedCall {
  id: string
  /** The call's record. No etag protects what else it removes. */
  record: string
  guarded: boolean
  /** When it was sent. */
  asked: number
}

interface Look {
  until: number
  turn: number
  cached?: true
}

/** For records without etags: the maximum milliseconds from a lookup, or from the last read, to the write. */
const gap = { look: 600_000, read: 30_000 }
/** For what a call removes along, the same from its list’s last answer to the call. The time of that answer comes on top. */
const listGap = 1_000
const none: ReadonlySet<string> = new Set()

/** Records who wrote which word, where it is, who heard about it, and who removed it unseen. */
export class Ledger {
  /** Words someone else removed although the edit's author hadn't seen them. */
  readonly overwritten: string[] = []
  /** The same right after a read, when no etag could have helped. */
  readonly slipped: Slip[] = []
  /** Number of words removed along in the second that no reading covers. */
  sameSecond = 0
  /** The same after a cached list, although it was asked for in every way that differs. */
  misled = 0
  /** Number of removed words for which it was decided whether their remover had seen them. */
  judged = 0
  private readonly writers = new Map<string, { who: string; turn: number }>()
  private readonly authors = new Map<string, string>()
  private readonly heardBy = new Map<string, Map<string, number>>()
  /** By person, and by record or list. */
  private readonly looks = new Map<string, Map<string, Look>>()
  /** When the first pages of lists were read. */
  private readonly readings = new Map<string, number>()
  /** When a word entered a record, and by whom. */
  private readonly entered = new Map<string, { turn: number; who: string }>()
  /** Words whose own author removed them with a list that someone else had just moved them to. */
  private readonly carriedOff = new Set<string>()
  /** When a call last changed a record. */
  private readonly changed = new Map<string, number>()
  private readonly records = new Map<string, ReadonlySet<string>>()
  /** The number of records with a word. */
  private readonly places = new Map<string, number>()
  private readonly removers = new Map<string, string>()
  /** The old content of the records the current call has changed. */
  private readonly touched = new Map<string, ReadonlySet<string>>()
  private hidden: { record: string; words: ReadonlySet<string> }[] = []
  private turn = 0

  constructor(private readonly now: () => number) {}

  /** Sets a word's author, whoever first sends it to the service. */
  author(word: string, who: string): void {
    this.authors.set(word, who)
  }

  /** The current moment, later than all before. */
  moment(): number {
    return ++this.turn
  }

  /** Sets a record's words. */
  store(record: string, words: ReadonlySet<string> = none): void {
    const before = this.records.get(record) ?? none
    if (!this.touched.has(record)) this.touched.set(record, before)
    for (const word of before) this.places.set(word, this.places.get(word)! - 1)
    for (const word of words) this.places.set(word, (this.places.get(word) ?? 0) + 1)
    if (words.size > 0) this.records.set(record, words)
    else this.records.delete(record)
  }

  /** Keeps a record's content but marks it as hidden. */
  hide(record: string, words: ReadonlySet<string>): void {
    this.hidden.push({ record, words })
  }

  /** A response with these words arrived. */
  heard(who: string, words: ReadonlySet<string>): void {
    let heard = this.heardBy.get(who)
    if (!heard) this.heardBy.set(who, (heard = new Map()))
    for (const word of words) if (!heard.has(word)) heard.set(word, this.turn)
  }

  /** A computer got an older disk and knows only what it knew at that moment. */
  forget(who: string, until: number): void {
    const heard = this.heardBy.get(who)
    for (const [word, turn] of heard ?? []) if (turn > until) heard!.delete(word)
  }

  /** Someone reads the first page of a list: what's written to it before the last page may not be in any. */
  began(who: string, list: string): void {
    this.readings.set(`${who} ${list}`, this.turn)
  }

  /** Someone read the last page of a list, which they asked for at a time. */
  listed(who: string, list: string, asked: number): void {
    const now = this.now()
    const turn = this.readings.get(`${who} ${list}`) ?? this.turn
    this.looksOf(who).set(list, { until: now + listGap + (now - asked), turn })
  }

  /** Someone got the last page of a list as it was at a moment, from a cache. */
  listedBefore(who: string, list: string, turn: number): void {
    this.looksOf(who).set(list, { until: this.now() + listGap, turn, cached: true })
  }

  /** Someone read a record, or looked it up before a write. */
  looked(who: string, record: string, how: keyof typeof gap = 'look'): void {
    this.looksOf(who).set(record, { until: this.now() + gap[how], turn: this.turn })
  }

  private looksOf(who: string): Map<string, Look> {
    let looks = this.looks.get(who)
    if (!looks) this.looks.set(who, (looks = new Map()))
    return looks
  }

  /** Attributes everything stored since the last call to no one. */
  skip(): void {
    this.touched.clear()
    this.hidden = []
  }

  /** Attributes everything stored since the last call to this one. */
  judge(who: string, call: JudgedCall, sight: Sight): void {
    const turn = ++this.turn
    const added = new Set<string>()
    for (const [record, before] of this.touched)
      for (const word of this.records.get(record) ?? none)
        if (!before.has(word)) {
          added.add(word)
          this.entered.set(`${record} ${word}`, { turn, who })
          if (!this.writers.has(word)) this.writers.set(word, { who: this.authors.get(word) ?? who, turn })
        }
    for (const [record, before] of this.touched) {
      const after = this.records.get(record) ?? none
      for (const word of before) if (!after.has(word) && !added.has(word)) this.remove(who, call, sight, record, word)
    }
    // Whether a record is hidden depends on more than its words.
    for (const { record, words } of this.hidden)
      for (const word of words) this.remove(who, call, sight, record, word, this.changed.get(record))
    for (const record of this.touched.keys()) this.changed.set(record, turn)
    this.skip()
  }

  /** True if a word ever reached the service. */
  reached(word: string): boolean {
    return this.writers.has(word)
  }

  isThere(word: string): boolean {
    return (this.places.get(word) ?? 0) > 0
  }

  /** Who removed a missing word: from the record with one of these IDs, or else the last one. */
  removerOf(word: string, ids: readonly string[] = []): string | undefined {
    if (this.isThere(word)) return undefined
    const own = ids.map((id) => this.removers.get(`${id} ${word}`)).find((who) => who !== undefined)
    return own ?? this.removers.get(word)
  }

  /** True if a word's own author removed it in the gap after a look that didn't show it there. */
  slippedAway(word: string): boolean {
    return this.carriedOff.has(word)
  }

  /** True if an exception only repeats a word of its series, which still has it. */
  private isInherited(record: string, word: string): boolean {
    const at = record.lastIndexOf(' ') + 1
    const instance = parseInstanceId(record.slice(at))
    return instance !== undefined && (this.records.get(record.slice(0, at) + instance.masterId)?.has(word) ?? false)
  }

  private remove(who: string, call: JudgedCall, sight: Sight, record: string, word: string, changed = 0): void {
    this.removers.set(word, who).set(`${record.slice(record.lastIndexOf(' ') + 1)} ${word}`, who)
    const writer = this.writers.get(word)
    const entry = this.entered.get(`${record} ${word}`)
    const isOwn = writer?.who === who
    if (!writer || (isOwn && (entry === undefined || entry.who === who))) return
    if (entry?.who === who && this.isInherited(record, word)) return
    if (!isOwn) this.judged++
    const heard = this.heardBy.get(who)?.get(word)
    if (sight === 'everything' || (!isOwn && heard !== undefined && heard <= sight.until)) return
    const reached = record === call.record ? '' : ` reached ${record}`
    // Child records are looked up through their list.
    const seen = reached ? record.slice(0, record.lastIndexOf(' ')) : call.guarded ? undefined : record
    const look = seen === undefined ? undefined : this.looksOf(who).get(seen)
    const entered = Math.max(changed, entry?.turn ?? writer.turn)
    if (look && look.turn < entered && (reached ? call.asked : this.now()) <= look.until) {
      if (isOwn) this.carriedOff.add(word)
      if (reached && look.cached) this.misled++
      else if (reached) this.sameSecond++
      else this.slipped.push({ word, of: writer.who, by: who, record: `${call.id} ${record}`, turn: this.turn })
    } else if (!isOwn)
      this.overwritten.push(
        `${word} of ${writer.who} by ${who} (${call.id}${reached}${heard === undefined ? '' : ', heard after the edit'})`,
      )
  }
}

const formOfWords = /\bt?(m\d+)\b/g

/** The words that identify edits: `m12`, or `tm12` in a title. */
export const wordsIn = (value: unknown): Set<string> => wordsOf(JSON.stringify(value) ?? '')

export function wordsOf(text: string): Set<string> {
  const words = new Set<string>()
  for (const [, word] of text.matchAll(formOfWords)) words.add(word!)
  return words
}

const known = new WeakMap<JsonObject, ReadonlySet<string>>()

/** The words of a response, whose records are never changed in place. */
export function wordsOfAnswer(body: JsonObject | undefined, isList: boolean): ReadonlySet<string> {
  if (!body) return none
  if (!isList) return wordsOfRecord(body)
  const words = new Set<string>()
  for (const list of Object.values(body))
    if (Array.isArray(list))
      for (const record of list as JsonObject[]) for (const word of wordsOfRecord(record)) words.add(word)
  return words
}

function wordsOfRecord(record: JsonObject): ReadonlySet<string> {
  let words = known.get(record)
  if (!words) known.set(record, (words = wordsIn(record)))
  return words
}
