import type { Work } from '../../replica/api'

type Look<T> = (work: Work) => Promise<T>

/** A preview that follows what's being typed, until the calling component unmounts. */
export class CellPreview<T> {
  found = $state.raw<T | null>(null)
  /** Why the preview failed. */
  trouble = $state('')
  /** Progress of the search. */
  share = $state.raw<{ done: number; of: number } | null>(null)

  /** @param ask returns how to look, or null if there’s nothing to look for */
  constructor(ask: () => Look<T> | null) {
    // Debounced, so that typing doesn't wait for the search.
    $effect(() => {
      const look = ask()
      this.found = null
      this.trouble = ''
      if (!look) return
      const own = new AbortController()
      const timer = setTimeout(() => void this.#run(look, own.signal), 150)
      return () => {
        clearTimeout(timer)
        own.abort()
        this.share = null
      }
    })
  }

  async #run(look: Look<T>, signal: AbortSignal): Promise<void> {
    const onprogress = (done: number, of: number): void => {
      if (!signal.aborted) this.share = { done, of }
    }
    try {
      const answer = await look({ signal, onprogress })
      if (!signal.aborted) this.found = answer
    } catch (error) {
      if (!signal.aborted) this.trouble = error instanceof Error ? error.message : 'Couldn’t search'
    } finally {
      if (!signal.aborted) this.share = null
    }
  }
}
