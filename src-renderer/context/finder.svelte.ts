import { untrack } from 'svelte'
import { byNearness, qualityOf, search, textOf, type Span } from '#shared/domain/search'
import type { CalendarItem, FoundRecord, Row } from '../replica/api'
import { dayMs } from '../ui/dates'
import type { AppContext } from './context'

/** Milliseconds until events and tasks are searched after a key, and until all is searched again after a change of the data. */
const wait = { key: 60, change: 250 }

/** Events, tasks, and campaign records that a text finds, kept current. Create it while a component is set up. */
export class Finder {
  events = $state.raw<readonly CalendarItem[]>([])
  tasks = $state.raw<readonly Row[]>([])
  records = $state.raw<readonly FoundRecord[]>([])
  /** The texts that those results are for. */
  #listsFor = $state('')
  #recordsFor = $state('')
  readonly ready = $derived.by(() => this.#listsFor === this.#wanted && this.#recordsFor === this.#wanted)
  #finding = new AbortController()
  readonly #text: () => string | null
  readonly #wanted = $derived.by(() => {
    const text = this.#text()?.trim() ?? ''
    return text.length < 2 ? '' : text
  })

  /**
   * @param text finds nothing below two letters. Null while no one looks
   * @param limit results of each kind at most
   */
  constructor(
    private readonly app: AppContext,
    text: () => string | null,
    private readonly limit: Readonly<Record<'events' | 'tasks' | 'records', number>>,
  ) {
    this.#text = text
    const looked = $derived(text() !== null)
    $effect(() => {
      if (this.#wanted === '' || !looked) {
        untrack(() => void this.#findLists())
        return
      }
      // A moment after the key: typing waits for no search.
      const timer = setTimeout(() => void this.#findLists(), wait.key)
      return () => clearTimeout(timer)
    })
    $effect(() => {
      void this.#wanted
      if (looked) untrack(() => void this.#findRecords())
      else {
        this.#finding.abort()
        this.records = []
      }
    })
    // Also finds records that arrive later, such as the rest of a download.
    $effect(() => (looked ? this.#follow() : undefined))
  }

  /** Resolves once the results are those of the text. */
  async settle(): Promise<void> {
    const wanted = this.#wanted
    await Promise.all([
      this.#listsFor === wanted || this.#findLists(),
      this.#recordsFor === wanted || this.#findRecords(),
    ])
  }

  #follow(): () => void {
    const { replica } = this.app
    let timer: ReturnType<typeof setTimeout> | undefined
    const unsubscribe = replica.subscribe((topics) => {
      if (timer !== undefined || ![...topics].some((topic) => replica.facts.find(topic))) return
      timer = setTimeout(() => {
        timer = undefined
        void this.#findLists()
        void this.#findRecords()
      }, wait.change)
    })
    return () => {
      unsubscribe()
      clearTimeout(timer)
    }
  }

  async #findLists(): Promise<void> {
    const { replica, clock, preferences } = this.app
    const query = this.#wanted
    const found = query === '' ? [] : await replica.search(query, this.limit.events).catch(() => [])
    if (query !== this.#wanted) return
    this.events = found
    const today = clock.today(preferences.zone)
    const isOther = ({ value }: Row): number => Number(qualityOf(query, String(value?.['title'] ?? '')) !== 0)
    const texts = (visit: (row: Row, text: string) => void): void => {
      for (const row of replica.rows('tasks'))
        visit(row, textOf(String(row.value?.['title'] ?? ''), String(row.value?.['notes'] ?? '')))
    }
    this.tasks = search(query, texts, this.limit.tasks, (a, b) => isOther(a) - isOther(b) || byDue(a, b, today))
    this.#listsFor = query
  }

  /** Searches in slices, so that typing stays responsive. A new text aborts the search of the previous one. */
  async #findRecords(): Promise<void> {
    this.#finding.abort()
    this.#finding = new AbortController()
    const { signal } = this.#finding
    const query = this.#wanted
    const found = await this.app.replica.findRecords(query, this.limit.records, signal).catch(() => [])
    if (signal.aborted) return
    this.records = found
    this.#recordsFor = query
  }
}

/** The day a task is due, as UTC. */
export function spanOfTask({ value }: Row): Span | null {
  const due = Date.parse(String(value?.['due'] ?? ''))
  return Number.isNaN(due) ? null : { start: due, end: due + dayMs }
}

export const isDone = ({ value }: Row): boolean => value?.['status'] === 'completed'

/** Open tasks before done ones, the next due first. */
const byDue = (a: Row, b: Row, today: number): number =>
  Number(isDone(a)) - Number(isDone(b)) || byNearness(spanOfTask(a), spanOfTask(b), today)
