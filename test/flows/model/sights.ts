import type { OutboxEntry } from '#shared/mutation/entry'
import type { Device } from './device'
import { wordsIn, type Ledger, type Sight } from './ledger'

/** What the author of each waiting edit had seen when making it. */
export class Sights {
  private readonly edits = new Map<string, number>()
  private readonly entries = new Map<string, number>()
  private readonly acted = new Map<string, number>()

  constructor(private readonly ledger: Ledger) {}

  /** Someone writes this word now, seeing all that has arrived on their computer. */
  wrote(word: string): void {
    this.edits.set(word, this.ledger.moment())
  }

  /** The person at a device does something now. */
  act({ name }: Device): void {
    this.acted.set(name, this.ledger.moment())
  }

  /** Entries that came of what the person did last. `undone`: they take back the edit of this word. */
  note(device: Device, undone?: string): void {
    const now = this.acted.get(device.name) ?? 0
    for (const { id, kind } of device.replica.outbox()) {
      const name = `${device.name} ${id}`
      if (this.entries.has(name)) continue
      // A field is taken back while it says what that edit left there.
      const then = undone !== undefined && kind === 'change' ? this.edits.get(undone) : undefined
      this.entries.set(name, then ?? now)
    }
  }

  /** The person has decided about this entry, knowing both sides. */
  decided({ name }: Device, { id }: OutboxEntry): void {
    this.entries.set(`${name} ${id}`, this.ledger.moment())
  }

  of(device: string, entry: OutboxEntry): Sight {
    let until = this.entries.get(`${device} ${entry.id}`) ?? this.acted.get(device) ?? 0
    for (const word of wordsIn(entry.patch)) until = Math.max(until, this.edits.get(word) ?? 0)
    return { until }
  }
}
