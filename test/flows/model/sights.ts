import type { OutboxEntry } from '#shared/mutation/entry'
import type { Device } from './device'
import { wordsIn, type Ledger, type Sight } from './ledger'

/** What each pending edit's author had seen. */
export class Sights {
  private readonly edits = new Map<string, number>()
  private readonly undone = new Map<string, number>()
  private readonly entries = new Map<string, { turn: number; revision: number }>()
  private readonly acted = new Map<string, number>()

  constructor(private readonly ledger: Ledger) {}

  /** Someone writes this word, having seen everything on their computer. */
  wrote(word: string): void {
    this.edits.set(word, this.ledger.moment())
  }

  /** The device's user does something, having seen everything on their computer, or only what was there at a moment. */
  act(device: Device, turn = this.ledger.moment()): void {
    for (const entry of device.replica.outbox()) {
      const known = this.entries.get(nameOf(device.name, entry))
      if (known) known.revision = entry.revision ?? 0
    }
    this.acted.set(device.name, turn)
  }

  /** Entries added or changed since the user's action. `turned`: that undid or redid the edit of this word. */
  note(device: Device, turned?: { word: string; back: boolean }): void {
    const now = this.acted.get(device.name) ?? 0
    // Undo applies to a field only while it has the edit's value, and redo while it has what undo left.
    const from = turned && (turned.back ? this.edits : this.undone).get(turned.word)
    if (turned?.back) this.undone.set(turned.word, now)
    for (const entry of device.replica.outbox()) {
      const name = nameOf(device.name, entry)
      const { revision = 0, kind } = entry
      if (this.entries.get(name)?.revision === revision) continue
      const then = kind === 'change' ? from : undefined
      this.entries.set(name, { turn: then ?? now, revision })
    }
  }

  /** The user resolved this entry, knowing both sides. */
  decided({ name }: Device, entry: OutboxEntry): void {
    this.entries.set(nameOf(name, entry), { turn: this.ledger.moment(), revision: entry.revision ?? 0 })
  }

  of(device: string, entry: OutboxEntry): Sight {
    // The user confirmed to remove contents that couldn't be read.
    if (entry.unread) return 'everything'
    let until = this.entries.get(nameOf(device, entry))?.turn ?? this.acted.get(device) ?? 0
    for (const word of wordsIn(entry.patch)) until = Math.max(until, this.edits.get(word) ?? 0)
    return { until }
  }
}

const nameOf = (device: string, { id }: OutboxEntry): string => `${device} ${id}`
