/** A typed array that grows while values are added. */
export class GrowableArray<T extends Int32Array | Float64Array | Uint32Array | Uint8Array> {
  #values: T
  length = 0

  constructor(private readonly make: new (length: number) => T) {
    this.#values = new make(64)
  }

  /** Current size, in bytes. */
  get bytes(): number {
    return this.#values.byteLength
  }

  push(value: number): void {
    if (this.length === this.#values.length) {
      const more = new this.make(this.length * 2)
      more.set(this.#values)
      this.#values = more
    }
    this.#values[this.length++] = value
  }

  at(index: number): number {
    return this.#values[index]!
  }

  /** Returns a copy of all elements. */
  take(): T {
    return this.#values.slice(0, this.length) as T
  }
}
