/** Number of rows to remember. Above it, all rows count as just changed, which costs a comparison and never an edit. */
const maxRows = 10_000

/** When a pull or an outcome last changed what each row shows, as a sequence that only grows. Own edits don’t count. */
export class RemoteSeq {
  private last = 0
  private floor = 0
  private readonly rows = new Map<string, number>()

  of(key: string): number {
    return this.rows.get(key) ?? this.floor
  }

  /** Returns the new number of these rows. */
  raise(keys: readonly string[]): number {
    const seq = ++this.last
    for (const key of keys) this.rows.set(key, seq)
    if (this.rows.size > maxRows) {
      this.floor = seq
      this.rows.clear()
    }
    return seq
  }

  /** Follows a record to its new key. */
  rename(from: string, to: string): void {
    const seq = this.rows.get(from)
    if (seq !== undefined) this.rows.set(to, Math.max(seq, this.of(to)))
  }
}
