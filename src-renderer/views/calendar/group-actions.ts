import type { JsonObject } from '#shared/json'
import type { Event } from '#shared/wire/calendar/types'
import { blockDeletions, blocksOf, withSubtasks } from '../../context/time-blocks'
import type { Change, EditOptions, Row } from '../../replica/api'
import { alongWords, completing, reopened } from '../../context/repeating-tasks'
import { counted } from '../../ui/counted'
import { countGuests } from './guests'
import { fixedWords, titleOf } from './event-labels'
import { shifted, type Shift } from './layout/drag'
import type { Entry } from './layout/entry'
import type { CalendarModel } from './model.svelte'
import type { Decision, Question } from './question'
import {
  differsFromSeries,
  lostDays,
  scopedChanges,
  scopedDelete,
  scopeLosses,
  leavesRule,
  onlyThis,
  scopesFor,
  type Loaded,
  type Scope,
} from './scope'
import { timePatch } from './times'

interface Part {
  entry: Entry
  loaded: Loaded
  patch: JsonObject
}

interface Hands {
  readonly model: CalendarModel
  load(entry: Entry): Promise<Loaded | undefined>
  put(question: Omit<Question, 'answer'>): Promise<Decision | null>
}

/** Actions on several selected entries: one step to undo, and at most one question. */
export class GroupActions {
  constructor(private readonly hands: Hands) {}

  get #model() {
    return this.hands.model
  }

  /** Why an entry keeps the selection from being changed. Undefined if all can be. */
  obstacle(entries: readonly Entry[]): string | undefined {
    const fixed = entries.filter((entry) => !this.#model.canEdit(entry))
    if (fixed.length === 0) return undefined
    const [first] = fixed
    return fixed.length === 1
      ? `${this.#model.calendarName(first!)} is read-only`
      : `${counted(fixed.length, 'selected entry is', 'selected entries are')} in read-only calendars`
  }

  /** Why an entry keeps the selection from being moved. */
  whyFixed(entries: readonly Entry[]): string | undefined {
    const fixed = entries.flatMap(({ title, event }) => (event?.fixed ? [{ title, why: event.fixed }] : []))
    const [first] = fixed
    if (!first || this.obstacle(entries) !== undefined) return this.obstacle(entries)
    return fixed.length === 1
      ? fixedWords[first.why](`“${titleOf(first.title)}”`)
      : `Only their organizers can change ${counted(fixed.length, 'selected event')}`
  }

  /** Deletes entries. Tasks go with their time blocks. */
  async remove(entries: readonly Entry[], key: string): Promise<boolean> {
    if (this.#refuses(entries)) return false
    const parts = await this.#parts(entries, () => ({}))
    if (!parts) return false
    const decision = await this.#decide('Delete', entries, key, parts, false)
    if (!decision) return false
    const changes = [
      ...inScope(parts, decision.scope, ({ entry, loaded }, scope) =>
        scopedDelete(this.#model.app.replica, loaded, entry.event!, scope),
      ),
      ...this.#taskDeletions(entries.flatMap(({ task }) => (task ? [task] : []))),
    ]
    const named = namesOf(entries)
    // Clear it before saving, which may take long, so that a later selection stays.
    this.#model.picks.clear()
    return this.#edit(withoutRepeats(changes), `Delete ${named}`, `${named} deleted`, parts, decision)
  }

  /** Moves entries by days, and those with a time by the same time. */
  async move(entries: readonly Entry[], key: string, by: Shift): Promise<boolean> {
    if (this.#refuses(entries, this.whyFixed(entries))) return false
    const { zone } = this.#model
    const parts = await this.#parts(entries, (entry, loaded) =>
      timePatch(loaded.event as Event, entry, shifted(entry, by), zone),
    )
    if (!parts) return false
    const decision = await this.#decide('Move', entries, key, parts, true)
    if (!decision) return false
    const changes = inScope(parts, decision.scope, ({ entry, loaded, patch }, scope) =>
      scopedChanges(this.#model.app.replica, loaded, entry.event!, patch, scope),
    )
    for (const entry of entries)
      if (entry.task && by.days !== 0) {
        const due = new Date(shifted(entry, by).start).toISOString()
        changes.push({ kind: 'change', key: entry.task.key, patch: { due } })
      }
    if (changes.length === 0) return false
    const named = namesOf(entries)
    return this.#edit(changes, `Move ${named}`, `${named} moved`, parts, decision)
  }

  /** Sets the color of events by the service's ID. null uses those of their calendars. */
  async setColor(entries: readonly Entry[], key: string, colorId: string | null): Promise<boolean> {
    if (this.#refuses(entries)) return false
    const parts = await this.#parts(entries, () => ({ colorId }))
    if (!parts) return false
    const others = parts.filter(({ loaded }) => (loaded.event['colorId'] ?? null) !== colorId)
    if (others.length === 0) return false
    const decision = await this.#decide('Change', entries, key, others, true)
    if (!decision) return false
    const changes = inScope(others, decision.scope, ({ entry, loaded, patch }, scope) =>
      scopedChanges(this.#model.app.replica, loaded, entry.event!, patch, scope),
    )
    const named = namesOf(entries)
    return this.#edit(changes, `Change the color of ${named}`, `Color of ${named} changed`, others, decision)
  }

  /** Completes the tasks of entries and time blocks, or reopens them if all are completed. */
  async toggleTasks(entries: readonly Entry[]): Promise<boolean> {
    const tasks = new Map(
      entries.flatMap(({ task, plans }) => [task ?? plans ?? []].flat().map((one) => [one.key, one])),
    )
    const open = [...tasks.values()].filter(({ value }) => value?.['status'] !== 'completed')
    const { app, today } = this.#model
    const changed = open.length > 0 ? open : [...tasks.values()]
    const changes =
      open.length > 0
        ? completing(app.replica, open, app.clock.now, today)
        : changed.map(({ key }): Change => ({ kind: 'change', key, patch: reopened }))
    const named = counted(changed.length, 'task')
    const [label, text] = open.length > 0 ? ['Complete', 'completed'] : ['Reopen', 'reopened']
    return this.#edit(changes, `${label} ${named}`, `${named} ${text}${alongWords(open, changes)}`)
  }

  #refuses(entries: readonly Entry[], obstacle = this.obstacle(entries)): boolean {
    if (obstacle !== undefined) this.#model.app.toasts.show(`Nothing changed. ${obstacle}.`)
    return obstacle !== undefined
  }

  /** The events with what would change. Undefined if one is gone, which is said. */
  async #parts(
    entries: readonly Entry[],
    patchOf: (entry: Entry, loaded: Loaded) => JsonObject,
  ): Promise<Part[] | undefined> {
    const parts: Part[] = []
    for (const entry of [...entries].sort((a, b) => a.start - b.start)) {
      if (!entry.event) continue
      const loaded = await this.hands.load(entry)
      if (!loaded) return undefined
      parts.push({ entry, loaded, patch: patchOf(entry, loaded) })
    }
    return parts
  }

  async #decide(
    verb: string,
    entries: readonly Entry[],
    key: string,
    parts: readonly Part[],
    quiet: boolean,
  ): Promise<Decision | null> {
    const repeats = parts.some(({ loaded, patch }) => loaded.master && !(quiet && differsFromSeries(loaded, patch)))
    const guests = parts.reduce((sum, { loaded }) => sum + countGuests(loaded.event as Event), 0)
    if (!repeats && (guests === 0 || quiet)) return { scope: 'this', sendUpdates: 'none' }
    const alone = parts.some(({ loaded, patch }) => leavesRule(loaded, patch))
    const scopes: readonly Scope[] = !repeats ? [] : alone ? ['this'] : scopesFor(parts.map(({ loaded }) => loaded))
    const { app, zone, words } = this.#model
    const daysIn = ({ entry, loaded, patch }: Part, scope: Scope): number[] =>
      lostDays(app.replica, loaded, entry.event!, patch, scope, zone)
    const losses = alone
      ? onlyThis
      : repeats
        ? scopeLosses((scope) => inScope(parts, scope, daysIn), words.thisYear)
        : {}
    return this.hands.put({ verb, heading: `${verb} ${namesOf(entries)}`, key, scopes, losses, guests, several: true })
  }

  #taskDeletions(tasks: readonly Row[]): Change[] {
    const { replica, clock } = this.#model.app
    const below = new Set(tasks.flatMap((task) => withSubtasks(replica, task).filter((id) => id !== task.id)))
    const tops = tasks.filter(({ id }) => !below.has(id))
    const blocks = blocksOf(
      replica,
      tops.flatMap((task) => withSubtasks(replica, task)),
      clock.now,
    )
    return [...blockDeletions(blocks), ...tops.map(({ key }): Change => ({ kind: 'delete', key }))]
  }

  async #edit(
    changes: readonly Change[],
    label: string,
    text: string,
    parts: readonly Part[] = [],
    decision: Decision = { scope: 'this', sendUpdates: 'none' },
  ): Promise<boolean> {
    const { sendUpdates } = decision
    const mails =
      sendUpdates === 'all' ? parts.reduce((sum, { loaded }) => sum + countGuests(loaded.event as Event), 0) : 0
    const options: EditOptions = { label, sendUpdates, mails }
    return (await this.#model.app.edit(changes, options, { text, show: true })) !== null
  }
}

const namesOf = (entries: readonly Entry[]): string => {
  const tasks = entries.filter(({ task }) => task).length
  if (tasks === 0) return counted(entries.length, 'event')
  return tasks === entries.length ? counted(tasks, 'task') : counted(entries.length, 'entry', 'entries')
}

/** Changes of each event in a scope: a series once, from its earliest selected occurrence. */
function inScope<T>(parts: readonly Part[], scope: Scope, of: (part: Part, scope: Scope) => readonly T[]): T[] {
  const seen = new Set<string>()
  return parts.flatMap((part) => {
    const { master } = part.loaded
    if (!master || scope === 'this') return of(part, 'this')
    if (seen.has(master.key)) return []
    seen.add(master.key)
    return of(part, scope)
  })
}

/** A time block can be selected, and go with its task. */
function withoutRepeats(changes: readonly Change[]): Change[] {
  const gone = new Set<string>()
  return changes.filter((change) => {
    if (change.kind !== 'delete') return true
    const isNew = !gone.has(change.key)
    gone.add(change.key)
    return isNew
  })
}
