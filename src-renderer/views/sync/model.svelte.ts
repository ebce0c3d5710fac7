import { fieldName } from '#shared/fields/field-name'
import { heldUpBy } from '../../context/held-up-by'
import { createContext } from 'svelte'
import { SvelteMap } from 'svelte/reactivity'
import { collections, parseRecordKey, recordKey } from '#shared/domain/collections'
import { firstNames, listWords } from '#shared/list-words'
import { revertLabel } from '#shared/domain/labels'
import { currentText } from '#shared/former-words'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { ServiceName } from '#shared/wire/services'
import { serviceTitle } from '#shared/wire/service-titles'
import { attempt } from '../../context/attempt'
import type { AppContext } from '../../context/context'
import { entryChanges, entryTitle, entriesTitle, type NamedChange } from '../../context/change-words'
import { discard, discardedSince, tellDiscarded, withdrawnWords } from '../../context/discarding'
import { eventPlace } from '../../context/event-place'
import type { ConflictSelection } from './conflict-selection.svelte'
import { conflictGroups, decide, type Policy } from './conflict-groups'
import { titleOfEntry } from './entry-labels'
import { revertOf } from './revert'
import { laneOf } from '../../context/lane-words'
import { workOf, type LongWork } from '../../context/long-work.svelte'
import { rejectionsOf, type RejectionGroup } from '../../context/rejections'
import type { Change, HistoryItem, SeenConflict } from '../../replica/api'
import { counted } from '../../ui/counted'
import { bareLabel, plainLabel } from '../../ui/plain-label'
import { outermost } from '../../context/record-names'
import type { WordContext } from '../../context/record-words'

const keyOf = (entry: OutboxEntry): string => recordKey(entry.collection, entry.parent, entry.recordId)

export interface WaitingStep {
  id: string
  entries: readonly OutboxEntry[]
  /** Folded into one line. */
  large: boolean
}
/** Finished changes of one step, newest first. */
export interface HistoryStep {
  id: string
  items: readonly HistoryItem[]
}
/** Number of changes above which a step is collapsed. */
const largeStep = 5
export const maxShown = 100
/** Number of finished changes to list while others are being sent, at other times, and to search for those of a step. */
const someHistory = 200
const mostHistory = 2_000
const wholeHistory = 100_000

const kept: Readonly<Record<Policy, string>> = {
  mine: 'yours',
  theirs: 'theirs',
  newer: 'the newer version',
  both: 'both',
}

/** The queue and the actions on its entries. */
/** An entry, or a closed card of several. */
interface Place {
  id: string
  entries: readonly OutboxEntry[]
}

export class SyncModel {
  readonly app: AppContext
  currentId = $state<string | null>(null)
  /** Focuses the card of an entry or of several, by its ID. Set by the view. */
  focus: (id: string) => void = () => undefined
  history = $state.raw<readonly HistoryItem[]>([])
  /** True if there may be changes before those that are listed. */
  hasOlder = $state(false)
  #most = $state(mostHistory)

  constructor(app: AppContext) {
    this.app = app
  }

  readonly words = $derived.by((): WordContext => {
    const { preferences, clock } = this.app
    return { zone: preferences.zone, hour12: preferences.hour12, today: clock.today(preferences.zone) }
  })
  readonly entries = $derived.by(() => this.app.replica.outbox())
  readonly #needs = $derived.by(() => new Map(this.entries.map((entry) => [entry.id, entry.dependsOn])))
  readonly needing = $derived(this.entries.filter((entry) => entry.state === 'needsYou'))
  /** Number of unposted drafts. */
  readonly drafts = $derived(this.entries.filter((entry) => entry.state !== 'needsYou' && entry.held))
  readonly waiting = $derived(this.entries.filter((entry) => entry.state !== 'needsYou' && !entry.held))
  readonly steps = $derived(stepsOf(this.waiting))
  readonly draftSteps = $derived(stepsOf(this.drafts))
  /** Conflicts that are alike, to resolve together. */
  readonly conflicts = $derived(conflictGroups(this.needing))
  /** Selected entries of each group on the screen, by its ID. */
  readonly selections = new SvelteMap<string, ConflictSelection>()
  /** Selected conflicts of all groups. */
  readonly selectedConflicts = $derived(
    this.conflicts.flatMap(({ id, entries }) => entries.filter((entry) => this.selections.get(id)?.has(entry))),
  )
  readonly #grouped = $derived(new Set(this.conflicts.flatMap(({ entries }) => entries.map(({ id }) => id))))
  readonly rejections = $derived(rejectionsOf(this.needing.filter(({ id }) => !this.#grouped.has(id))))
  readonly historySteps = $derived(stepsOfHistory(this.history))
  opened = $state.raw<ReadonlySet<string>>(new Set())
  readonly #needingPlaces = $derived([
    ...this.conflicts.flatMap(({ id, entries }) => this.#placesOf(id, entries)),
    ...this.rejections.flatMap(({ id, entries }) => this.#placesOf(id, entries, entries.length > 1)),
  ])
  /** What the arrow keys go through, in order: entries, and closed cards in place of theirs. */
  readonly #places = $derived([
    ...this.#needingPlaces,
    ...[...this.draftSteps, ...this.steps].flatMap(({ id, entries, large }) => this.#placesOf(id, entries, large)),
  ])
  /** Entries that are on screen, in order. */
  readonly shown = $derived(this.#places.flatMap(({ id, entries }) => entries.filter((entry) => entry.id === id)))
  readonly #byId = $derived(new Map(this.entries.map((entry) => [entry.id, entry])))
  readonly #ofRecord = $derived.by(() => {
    const found = new Map<string, OutboxEntry[]>()
    for (const entry of this.entries) {
      const key = keyOf(entry)
      const known = found.get(key)
      if (known) known.push(entry)
      else found.set(key, [entry])
    }
    return found
  })
  readonly current = $derived(this.shown.find((entry) => entry.id === this.currentId))

  #placesOf(id: string, entries: readonly OutboxEntry[], isCard = true): Place[] {
    if (isCard && !this.opened.has(id)) return [{ id, entries }]
    return entries.slice(0, isCard ? maxShown : undefined).map((entry) => ({ id: entry.id, entries: [entry] }))
  }

  /** Work on many conflicts. */
  get work(): LongWork {
    return workOf(this.app.replica, this.app.accounts.edits)
  }

  /** Returns the reason that an entry is waiting, or undefined if nothing blocks it. */
  reason(entry: OutboxEntry): string | undefined {
    const first = entry.dependsOn.map((id) => this.#byId.get(id)).find(Boolean)
    if (entry.held)
      return first?.held
        ? `Not sent until you post it, together with “${bareLabel(entryTitle(first))}”`
        : 'Not sent until you post it'
    const before = first ?? this.#ofRecord.get(keyOf(entry))?.find((other) => other.id < entry.id)
    if (before) {
      const state = before.state === 'needsYou' ? ', which needs attention' : before.held ? ', which is a draft' : ''
      return `Waiting for “${bareLabel(entryTitle(before))}”${state}`
    }
    const { status } = this.app.replica
    const { offline, paused } = status
    const lane = laneOf(status, collections[entry.collection].service)
    const phase = lane?.phase ?? status.phase
    if (paused) return 'Sending is paused'
    if (offline) return 'Offline mode is on'
    if (phase === 'offline') return 'Offline'
    if (phase === 'signIn') return this.app.account.signIn === 'out' ? 'Signed out' : 'Session expired'
    if (entry.fault) return currentText(entry.fault.message)
    return phase === 'waiting' ? lane?.fault?.message : undefined
  }

  syncLane(service: ServiceName): void {
    this.app.replica.syncNow(service)
    this.app.announce(`Syncing ${serviceTitle(service)}`)
  }

  checkLane(service: ServiceName): void {
    this.app.replica.checkSync(service)
    this.app.announce(`${serviceTitle(service)}: checking sync`)
  }

  cancelCheck(service: ServiceName): void {
    this.app.replica.cancelCheck(service)
    this.app.announce(`${serviceTitle(service)}: sync check canceled`)
  }

  /** Opens the record in its view. */
  open(entry: OutboxEntry): void {
    const { navigation, replica } = this.app
    const key = keyOf(entry)
    const value = replica.peek(key)?.value ?? { ...entry.base, ...entry.patch }
    if (entry.collection === 'tasks')
      navigation.go('tasks', { list: entry.parent ?? '', task: parseRecordKey(replica.realKey(key)).id })
    else if (entry.collection === 'tasklists') navigation.go('tasks', { list: entry.recordId })
    else if (entry.collection === 'events') {
      const { view, params } = eventPlace(replica, replica.realKey(key), value, this.words.zone)
      navigation.go(view, params)
    } else if (collections[entry.collection].references) {
      const { parent, id } = parseRecordKey(replica.realKey(key))
      navigation.go('campaigns', {
        kind: entry.collection,
        ...(parent !== null && { profile: outermost(parent)! }),
        record: recordKey(entry.collection, parent, id),
      })
    } else navigation.go('settings', { calendar: entry.parent ?? entry.recordId })
  }

  /** Changes of an entry: by place for campaigns, by field for others. */
  changesOf(entry: OutboxEntry): NamedChange[] {
    if (collections[entry.collection].references) return entryChanges(entry)
    if (entry.kind !== 'change') return []
    const fields = Object.keys(entry.patch).filter((field) => field !== 'end' && field !== 'completed')
    return fields.map((path) => ({
      path,
      head: fieldName(path, entry.collection),
      before: entry.base?.[path],
      after: entry.patch[path],
    }))
  }

  /** Opens the dialog that checks and posts drafts: the given ones, or all, above the list that was shown last. */
  post(entries?: readonly OutboxEntry[]): void {
    const [first] = entries ?? this.drafts
    if (!first) return
    const which = !entries ? 'all' : entries.length === 1 ? first.id : first.group
    const profile = outermost(first.parent)
    const { record: _record, ...last } = this.app.navigation.lastOf('campaigns')?.params ?? {}
    const place =
      !entries && last['profile'] === profile ? last : { kind: first.collection, ...(profile && { profile }) }
    this.app.navigation.go('campaigns', { ...place, post: which })
  }

  /** Lists the records of a group in Campaigns, to edit them at once. */
  fix({ entries }: RejectionGroup): void {
    const [first] = entries
    if (!first) return
    const profile = outermost(first.parent)
    this.app.navigation.go('campaigns', {
      kind: first.collection,
      rejected: first.id,
      ...(profile !== null && { profile }),
    })
  }

  async retryAll({ entries }: RejectionGroup): Promise<void> {
    await this.#try(
      'Couldn’t retry.',
      () => this.app.replica.retry(...entries.map(({ id }) => id)),
      `Retrying ${counted(entries.length, 'change')}`,
    )
  }

  async retry(entry: OutboxEntry): Promise<void> {
    await this.#try(
      'Couldn’t retry.',
      () => this.app.replica.retry(entry.id),
      `Retrying “${bareLabel(entryTitle(entry))}”`,
    )
  }

  /** Discards an entry with its dependents. Undo in the toast queues all of them again. */
  async withdraw(entry: OutboxEntry): Promise<void> {
    const next = this.#neighbour([entry])
    if (await discard(this.app, entry)) this.moveTo(next)
  }

  toggleStep(id: string): void {
    const next = new Set(this.opened)
    if (!next.delete(id)) next.add(id)
    this.opened = next
  }

  /** Discards the remaining changes of a step, last first. */
  async withdrawStep(step: WaitingStep): Promise<void> {
    const [first] = step.entries
    if (!first) return
    const before = this.entries
    const next = this.#neighbour(step.entries)
    const wanted = step.entries.filter((entry) => entry.state !== 'sending')
    // An entry discarded together with another is already gone, which isn't an error.
    for (const entry of [...wanted].reverse()) await this.app.replica.withdraw(entry.id).catch(() => undefined)
    const discarded = discardedSince(this.app, before)
    const { taken, without } = discarded
    const ids = new Set(step.entries.map(({ id }) => id))
    const own = taken.filter(({ id }) => ids.has(id))
    const what = `${counted(own.length, 'change')} from “${bareLabel(entriesTitle(step.entries))}”`
    const text = withdrawnWords(what, taken.length - own.length, without.length)
    tellDiscarded(this.app, first.label, discarded, text)
    this.moveTo(next)
  }

  async resolve(
    entry: OutboxEntry,
    choice: Parameters<AppContext['replica']['resolve']>[1],
    words: string,
  ): Promise<void> {
    const next = this.needing.find((other) => other.id !== entry.id)?.id ?? null
    const { replica, toasts } = this.app
    const resolved = await attempt(
      toasts,
      replica.resolve(entry.id, choice).then((step) => ({ step })),
      { failed: 'Nothing changed.' },
    )
    if (!resolved) return
    const { step } = resolved
    this.app.announce(`${plainLabel(entryTitle(entry))}: ${words}`)
    const action = { label: 'Undo', run: () => void this.app.undo(step!) }
    toasts.show(`Resolved: ${words}`, step === null ? {} : { action })
    this.moveTo(next)
  }

  /**
   * Resolves several conflicts alike, as one undo step with progress. Those that the policy can't decide stay, and those that
   * changed since then.
   */
  async resolveAll(entries: readonly OutboxEntry[], policy: Policy, money: boolean): Promise<void> {
    const { replica, toasts } = this.app
    const conflicts = entries.flatMap((entry): SeenConflict[] => {
      const choice = decide(entry, policy, money)
      return choice ? [{ entry, choice }] : []
    })
    const next = this.#neighbour(entries)
    const label = `Resolve ${counted(conflicts.length, 'conflict')}`
    const title = 'Resolving conflicts'
    const run = this.work.run(title, (work) => replica.resolveAll(conflicts, { label }, work))
    const ended = await attempt(toasts, run, {
      failed: 'Couldn’t resolve the conflicts.',
      kept: 'They’re unchanged.',
    })
    if (!ended) return
    const { value: resolved } = ended
    if (!resolved || ended.stopped) {
      // Stopped too late to prevent it, so undo it.
      if (resolved && !(await this.app.undo(resolved.group))) return
      const text = `${title} stopped. Nothing changed.`
      this.app.announce(text)
      return void toasts.show(text)
    }
    const { group, left } = resolved
    const done = conflicts.length - left.length
    const undecided = entries.length - done
    const changed = new Set(left)
    const names = entries.flatMap((entry) => (changed.has(entry.id) ? [`“${titleOfEntry(entry)}”`] : []))
    const text = [
      ...(done > 0 || left.length === 0 ? [`${counted(done, 'conflict')} resolved: kept ${kept[policy]}`] : []),
      ...(undecided > 0 ? [`${undecided.toLocaleString('en')} left to resolve`] : []),
      ...(names.length > 0 ? [`Changed since you last looked: ${listWords(firstNames(names))}`] : []),
    ].join('. ')
    this.app.announce(text)
    toasts.show(text, done > 0 ? { action: { label: 'Undo', run: () => void this.app.undo(group) } } : {})
    if (undecided === 0) this.moveTo(next)
  }

  backOfStep({ items }: HistoryStep): Change[] {
    return items.flatMap((item) => revertOf(this.app.replica, item))
  }

  canTakeBack({ items }: HistoryStep): boolean {
    return items.some((item) => revertOf(this.app.replica, item).length > 0)
  }

  /** Reads recent activity. Most of it only while nothing is being sent, because each change that is sent reads it again. */
  async readHistory(signal: AbortSignal): Promise<void> {
    const isQuiet = this.waiting.length === 0
    for (const limit of [someHistory, ...(isQuiet ? [this.#most] : [])]) {
      const items = await this.app.replica.history(limit)
      if (signal.aborted) return
      this.history = items
      this.hasOlder = items.length === limit
      if (!this.hasOlder) return
    }
  }

  /** Number of entries that can’t be sent before this one, directly or because of others. */
  dependants(id: string): number {
    return heldUpBy([id], this.#needs).size - 1
  }

  /** Number of steps after the first `shown`. Undefined if there may be some that aren’t listed. */
  stepsAfter(shown: number): number | undefined {
    return this.hasOlder ? undefined : this.historySteps.length - shown
  }

  /** Lists more of recent activity. */
  showOlder(): void {
    this.#most += mostHistory
  }

  /** Reverts a step, including those of its changes that aren’t listed. */
  async takeBack({ id }: HistoryStep): Promise<void> {
    const step = stepsOfHistory(await this.app.replica.history(wholeHistory)).find((one) => one.id === id)
    const changes = step ? this.backOfStep(step) : []
    if (!step || changes.length === 0) return
    const title = entriesTitle(step.items.map(({ entry }) => entry))
    const text = `Reverted: ${plainLabel(title)}`
    const done = await this.app.edit(changes, { label: revertLabel(title) }, { text, show: true })
    const left = done?.left.length ?? 0
    if (left > 0)
      this.app.toasts.show(
        `${counted(left, 'field')} ${left === 1 ? 'has changed since then and wasn’t' : 'have changed since then and weren’t'} reverted.`,
      )
  }

  /** Goes to an entry, or to the closed card that it's in. */
  moveTo(id: string | null): void {
    const place = this.#places.find((one) => one.id === id || one.entries.some((entry) => entry.id === id))
    this.currentId = place?.id ?? id ?? this.shown[0]?.id ?? null
    this.focus(this.currentId ?? '')
  }

  step(by: number): void {
    const at = this.#places.findIndex(({ id }) => id === this.currentId)
    const next = this.#places[Math.max(0, Math.min(this.#places.length - 1, at + by))]
    if (next) this.moveTo(next.id)
  }

  nextNeeding(): void {
    const at = this.#needingPlaces.findIndex(({ id }) => id === this.currentId)
    const next = this.#needingPlaces[(at + 1) % Math.max(1, this.#needingPlaces.length)]
    if (next) this.moveTo(next.id)
    else this.app.toasts.show('Nothing needs attention')
  }

  /** The place to go to when these entries are gone. */
  #neighbour(entries: readonly OutboxEntry[]): string | null {
    const places = this.#places
    const gone = new Set(entries.map(({ id }) => id))
    const at = places.findIndex(({ entries }) => entries.some(({ id }) => gone.has(id)))
    const stays = (place: Place): boolean => place.entries.some(({ id }) => !gone.has(id))
    return (places.slice(at).find(stays) ?? places.slice(0, at).filter(stays).at(-1))?.id ?? null
  }

  async #try(failed: string, run: () => Promise<void>, done?: string): Promise<boolean> {
    const ran = await attempt(
      this.app.toasts,
      run().then(() => true),
      { failed },
    )
    if (ran && done) this.app.announce(done)
    return ran === true
  }
}

/** Groups consecutive entries of one large step. */
function stepsOf(entries: readonly OutboxEntry[]): WaitingStep[] {
  const found = new Map<string, OutboxEntry[]>()
  for (const entry of entries) {
    const known = found.get(entry.group)
    if (known) known.push(entry)
    else found.set(entry.group, [entry])
  }
  return [...found].flatMap(([group, entries]): WaitingStep[] =>
    entries.length > largeStep
      ? [{ id: `${group}${entries[0]!.held ? ' drafts' : ''}`, entries, large: true }]
      : entries.map((entry) => ({ id: entry.id, entries: [entry], large: false })),
  )
}

/** Steps of finished changes, in the order of the newest of each. */
function stepsOfHistory(history: readonly HistoryItem[]): HistoryStep[] {
  const found = new Map<string, HistoryItem[]>()
  for (const item of history) {
    const { entry, how, id } = item
    const key = collections[entry.collection].references ? `${entry.group} ${how}` : id
    const known = found.get(key)
    if (known) known.push(item)
    else found.set(key, [item])
  }
  return [...found].map(([id, items]) => ({ id, items }))
}

export const [useSync, provideSync] = createContext<SyncModel>()
