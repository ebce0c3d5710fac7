/** Somebody's word that was written away between the look at a record and the write that followed it. */
export interface Slip {
  word: string
  /** Whose it was, and who wrote it away. */
  of: string
  by: string
  record: string
}

/** Where nothing holds a record between a look at it and the write: how long that may take, in milliseconds. */
const gap = 600_000

/** Who wrote which word, who was told of it, and what was written away by somebody who was not. */
export class Ledger {
  /** Words of somebody that somebody else wrote away without ever having been told of them. */
  readonly overwritten: string[] = []
  /** The same where the writer had looked just before, and no etag could have said more. */
  readonly slipped: Slip[] = []
  private readonly writers = new Map<string, { who: string; turn: number }>()
  private readonly told = new Map<string, Set<string>>()
  private readonly looks = new Map<string, { at: number; turn: number }>()
  private turn = 0

  constructor(private readonly now: () => number) {}

  /** An answer that holds these words has arrived. */
  heard(who: string, words: ReadonlySet<string>): void {
    let heard = this.told.get(who)
    if (!heard) this.told.set(who, (heard = new Set()))
    for (const word of words) heard.add(word)
  }

  /** Somebody who is about to write to a record has looked at it. */
  looked(who: string, record: string): void {
    this.looks.set(`${who} ${record}`, { at: this.now(), turn: this.turn })
  }

  /** A call of `who` has left these words in a record instead of those. `guarded`: an etag may guard the record. */
  judge(
    who: string,
    call: { id: string; record: string; guarded: boolean },
    before: ReadonlySet<string>,
    after: ReadonlySet<string>,
  ): void {
    const turn = ++this.turn
    for (const word of after) if (!before.has(word) && !this.writers.has(word)) this.writers.set(word, { who, turn })
    for (const word of before) {
      const writer = this.writers.get(word)
      if (after.has(word) || writer === undefined || writer.who === who || this.told.get(who)?.has(word)) continue
      const look = call.guarded ? undefined : this.looks.get(`${who} ${call.record}`)
      if (look && look.turn < writer.turn && this.now() - look.at <= gap)
        this.slipped.push({ word, of: writer.who, by: who, record: call.record })
      else this.overwritten.push(`${word} of ${writer.who} by ${who} (${call.id})`)
    }
  }
}

/** The words by which edits are told apart: `m12`, `tm12` in a title. */
export const wordsIn = (value: unknown): Set<string> =>
  new Set(Array.from((JSON.stringify(value) ?? '').matchAll(/\bt?(m\d+)\b/g), ([, word]) => word!))
