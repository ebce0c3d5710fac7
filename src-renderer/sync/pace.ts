import type { Memory } from '../replica/memory'
import type { Target } from './target'

/** Approximate page size, until a list's length is known better. */
const pageSize = 1_000
/** Milliseconds: a longer gap between pages means that reading paused. */
const rest = 30_000
/** Weight of the newest page in the average duration. */
const newest = 0.3

/** Estimates the progress of reading and the remaining time. */
export class Pace {
  private perPage: number | undefined
  private before: { key: string; at: number; ended: boolean } | undefined
  /** First and last ID of lists that are ordered by ID. */
  private readonly ends = new Map<string, { first: number; last: number }>()
  private readonly expected = new Map<string, number>()

  constructor(
    private readonly memory: Memory,
    private readonly elapsed: () => number,
  ) {}

  /** Counts a page: the number of records so far, and the ID of the last one. */
  page(key: string, records: number, lastId: string | undefined): void {
    const now = this.elapsed()
    const { before } = this
    const took = before ? now - before.at : Infinity
    // Lists of one page each also follow one another.
    if (before && (before.ended ? took < rest : before.key === key))
      this.perPage = this.perPage === undefined ? took : this.perPage * (1 - newest) + took * newest
    this.before = { key, at: now, ended: false }
    const ends = this.ends.get(key)
    const come = ends && lastId !== undefined ? (Number(lastId) - ends.first) / (ends.last - ends.first) : undefined
    if (come !== undefined && come > 0 && come <= 1) this.expected.set(key, Math.round(records / come))
  }

  /** IDs are assigned in order, so the position between the first and the last shows how much is left. */
  bounds(key: string, first: string, last: string): void {
    const ends = { first: Number(first), last: Number(last) }
    if (Number.isFinite(ends.first) && Number.isFinite(ends.last) && ends.last > ends.first) this.ends.set(key, ends)
  }

  /** True if finding the end of a list is worth a call. */
  wantsEnd(key: string): boolean {
    return !this.ends.has(key) && this.memory.cursors.get(key)?.records === undefined
  }

  ended(key: string): void {
    this.ends.delete(key)
    this.expected.delete(key)
    if (this.before?.key === key) this.before.ended = true
  }

  /** From 0 to 1, and in milliseconds; `left` is absent while no page has been timed. */
  of(targets: readonly Target[]): { share: number; left?: number } {
    let done = 0
    let all = 0
    for (const { key } of targets) {
      const here = this.memory.pages.get(key)?.records ?? 0
      const known = this.memory.cursors.get(key)
      const records = Math.max(here, this.expected.get(key) ?? known?.records ?? 0)
      const pages = Math.max(1, Math.ceil(records / pageSize))
      all += pages
      done += known && here === 0 ? pages : Math.min(pages, here / pageSize)
    }
    const share = all === 0 ? 1 : done / all
    return { share, ...(this.perPage !== undefined && { left: Math.round((all - done) * this.perPage) }) }
  }
}
