/** Maximum number of rows to remember. Beyond it, all rows count as just changed, which costs comparisons but no edit. */
const maxRows = 10_000

/** A record's new key, or rows that got a number. */
export type RemoteChange = { from: string; to: string } | { keys: readonly string[]; seq: number }

/** Number of the last change of each row by a pull or an outcome, from a growing sequence. Own edits don’t count. */
export class RemoteSeq {
  private last = 0
  private floor = 0
  private readonly rows = new Map<string, number>()
  private changes: RemoteChange[] = []

  of(key: string): number {
    return this.rows.get(key) ?? this.floor
  }

  /** Returns the new number of these rows. */
  raise(keys: readonly string[]): number {
    const seq = this.last + 1
    this.set(keys, seq)
    return seq
  }

  private set(keys: readonly string[], seq: number): void {
    this.changes.push({ keys, seq })
    this.last = Math.max(this.last, seq)
    for (const key of keys) this.rows.set(key, Math.max(seq, this.of(key)))
    if (this.rows.size > maxRows) {
      this.floor = this.last
      this.rows.clear()
    }
  }

  /** Follows a record to its new key. */
  rename(from: string, to: string): void {
    this.changes.push({ from, to })
    const seq = this.rows.get(from)
    if (seq !== undefined) this.rows.set(to, Math.max(seq, this.of(to)))
  }

  /** Changes since the last call. */
  takeChanges(): readonly RemoteChange[] {
    const { changes } = this
    this.changes = []
    return changes
  }

  /** Repeats changes of another window, each at least once and in their order. */
  follow(changes: readonly RemoteChange[]): void {
    for (const change of changes)
      if ('seq' in change) this.set(change.keys, change.seq)
      else this.rename(change.from, change.to)
    this.changes = []
  }

  /** All numbers, for `restore` in another window. */
  get state(): { last: number; floor: number; rows: ReadonlyMap<string, number> } {
    const { last, floor, rows } = this
    return { last, floor, rows }
  }

  restore({ last, floor, rows }: RemoteSeq['state']): void {
    this.last = last
    this.floor = floor
    this.rows.clear()
    for (const [key, seq] of rows) this.rows.set(key, seq)
  }
}
