/** A deterministic random sequence for a seed. */
export class Chance {
  #state: number
  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** 0 up to 1. */
  next = (): number => {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  int(below: number): number {
    return Math.floor(this.next() * below)
  }

  pick<T>(list: readonly T[]): T {
    return list[this.int(list.length)]!
  }

  some<T>(list: readonly T[], count: number): T[] {
    const rest = [...list]
    return Array.from({ length: Math.min(count, rest.length) }, () => rest.splice(this.int(rest.length), 1)[0]!)
  }

  yes(probability: number): boolean {
    return this.next() < probability
  }
}
