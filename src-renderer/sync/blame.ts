/** So often in a row something has to meet a limit that others get past before the limit is taken for its own. */
const ownAfter = 3
/** So often it goes first again; from then on it lets the others pass, for otherwise nobody would ever learn. */
const passesAfter = 2

/**
 * Whose a limit is that says it concerns the whole service. What keeps meeting it is tried after the others; where those
 * get through meanwhile, it is its own, and keeps nobody waiting.
 */
export class Blame {
  private through = 0
  private readonly met = new Map<string, { times: number; through: number }>()

  /** The service did what was asked, or said no to this one alone. */
  passed(key: string): void {
    this.through++
    this.met.delete(key)
  }

  limited(key: string): void {
    const before = this.met.get(key)
    this.met.set(key, { times: (before?.times ?? 0) + 1, through: before?.through ?? this.through })
  }

  /** How often in a row it met a limit. */
  times(key: string): number {
    return this.met.get(key)?.times ?? 0
  }

  letsPass(key: string): boolean {
    return this.times(key) >= passesAfter
  }

  isOwn(key: string): boolean {
    const met = this.met.get(key)
    return met !== undefined && met.times >= ownAfter && this.through > met.through
  }

  clear(): void {
    this.met.clear()
  }
}
