import { SortedIds } from './sorted-ids'

/** Sorted IDs by key. Most keys have a single ID, which is stored without a list. */
export class IdIndex {
  private readonly found = new Map<string, string | SortedIds>()

  add(key: string, id: string): void {
    const there = this.found.get(key)
    if (there === undefined) this.found.set(key, id)
    else if (typeof there !== 'string') there.add(id)
    else if (there !== id) {
      const many = new SortedIds()
      many.add(there)
      many.add(id)
      this.found.set(key, many)
    }
  }

  delete(key: string, id: string): void {
    const there = this.found.get(key)
    if (there === undefined) return
    if (typeof there !== 'string') there.delete(id)
    if (typeof there === 'string' ? there === id : there.size === 0) this.found.delete(key)
  }

  has(key: string): boolean {
    return this.found.has(key)
  }

  /** Oldest first. */
  ids(key: string): Iterable<string> {
    const there = this.found.get(key)
    return there === undefined ? none : typeof there === 'string' ? [there] : there
  }

  first(key: string): string | undefined {
    const there = this.found.get(key)
    return typeof there === 'object' ? there.first : there
  }

  last(key: string): string | undefined {
    const there = this.found.get(key)
    return typeof there === 'object' ? there.last : there
  }
}

const none: readonly string[] = []
