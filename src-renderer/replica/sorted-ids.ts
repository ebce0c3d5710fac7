const maxChunk = 512

/** Sorted IDs in chunks. An insertion costs as much as one chunk, whatever the total. Appending is free. */
export class SortedIds {
  /** Non-empty chunks. */
  private readonly chunks: string[][] = []
  private count = 0

  get size(): number {
    return this.count
  }

  get first(): string | undefined {
    return this.chunks[0]?.[0]
  }

  get last(): string | undefined {
    return this.chunks.at(-1)?.at(-1)
  }

  has(id: string): boolean {
    const chunk = this.chunks[this.chunkOf(id)]
    return chunk !== undefined && chunk[place(chunk, id)] === id
  }

  add(id: string): void {
    const { last } = this
    if (last === undefined || id > last) this.append(id)
    else {
      const index = Math.max(0, this.chunkOf(id))
      const chunk = this.chunks[index]!
      const at = place(chunk, id)
      if (chunk[at] === id) return
      chunk.splice(at, 0, id)
      if (chunk.length > maxChunk) this.chunks.splice(index + 1, 0, chunk.splice(maxChunk / 2))
    }
    this.count++
  }

  delete(id: string): void {
    const index = this.chunkOf(id)
    const chunk = this.chunks[index]
    if (!chunk) return
    const at = place(chunk, id)
    if (chunk[at] !== id) return
    chunk.splice(at, 1)
    if (chunk.length === 0) this.chunks.splice(index, 1)
    this.count--
  }

  /** The ID before this one, which needn't be in the list. */
  before(id: string): string | undefined {
    const index = this.chunkOf(id)
    const chunk = this.chunks[index]
    if (!chunk) return undefined
    return chunk[place(chunk, id) - 1] ?? this.chunks[index - 1]?.at(-1)
  }

  /** The ID after this one, which needn't be in the list. */
  after(id: string): string | undefined {
    const index = Math.max(0, this.chunkOf(id))
    const chunk = this.chunks[index]
    if (!chunk) return undefined
    const at = place(chunk, id)
    return chunk[chunk[at] === id ? at + 1 : at] ?? this.chunks[index + 1]?.[0]
  }

  *[Symbol.iterator](): Generator<string> {
    for (const chunk of this.chunks) yield* chunk
  }

  private append(id: string): void {
    const chunk = this.chunks.at(-1)
    if (!chunk || chunk.length >= maxChunk) this.chunks.push([id])
    else chunk.push(id)
  }

  /** Index of the last chunk that begins at or before the ID. -1 if all begin after it. */
  private chunkOf(id: string): number {
    let low = 0
    let high = this.chunks.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.chunks[middle]![0]! <= id) low = middle + 1
      else high = middle
    }
    return low - 1
  }
}

/** Index of an ID in a sorted list, or the one to insert it at. */
function place(sorted: readonly string[], id: string): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! < id) low = middle + 1
    else high = middle
  }
  return low
}
