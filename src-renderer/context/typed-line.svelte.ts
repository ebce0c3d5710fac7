import { z } from 'zod'
import { readStoredList, writeStored } from './account-storage'

const stored = z.object({ place: z.string(), text: z.string() })

/** Maximum number of stored characters: longer text isn't a line, and storage is limited. */
const maxLength = 20_000

/**
 * Text in a field that adds something on Enter. It stays until it's added or removed, also when its view closes and when the
 * app restarts.
 */
export class TypedLine {
  readonly #storage: Pick<Storage, 'getItem' | 'setItem'>
  readonly #accountId: string
  #place: string
  #text = $state('')

  /** @param place names the field, such as `task` */
  constructor(storage: Pick<Storage, 'getItem' | 'setItem'>, accountId: string, place: string) {
    this.#storage = storage
    this.#accountId = accountId
    this.#place = place
    this.#text = this.#stored(place).join(' ')
  }

  get text(): string {
    return this.#text
  }

  set text(text: string) {
    this.#text = text
    const others = this.#all().filter(({ place }) => place !== this.#place)
    const line = text.trim() === '' ? [] : [{ place: this.#place, text: text.slice(0, maxLength) }]
    // If storage is full, the field still has the text.
    writeStored(this.#storage, 'lines', this.#accountId, [...line, ...others])
  }

  /** Renames the field, for example by the ID that a record got from the service. */
  moveTo(place: string): void {
    if (place === this.#place) return
    const text = [this.#text, ...this.#stored(place)].filter(Boolean).join(' ')
    this.text = ''
    this.#place = place
    this.text = text
  }

  /** Safe mode stores its lines before the earlier ones. */
  #stored(place: string): string[] {
    return this.#all()
      .filter((one) => one.place === place)
      .map(({ text }) => text)
  }

  #all(): z.infer<typeof stored>[] {
    return readStoredList(this.#storage, 'lines', this.#accountId, stored)
  }
}
