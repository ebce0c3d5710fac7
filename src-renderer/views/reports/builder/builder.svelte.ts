import { createContext, untrack } from 'svelte'
import { SvelteMap } from 'svelte/reactivity'

import type { Collection } from '#shared/facts/collection'
import { faultOf } from '#shared/fault'
import type { Day } from '#shared/facts/report-ranges'
import type { JsonObject } from '#shared/json'
import { patchBetween } from '#shared/mutation/fold'
import { wallOfInstant } from '#shared/time/zones'
import { ask } from '../../../bridge'
import { accountTerms } from '../../../context/account-terms'
import type { AppContext } from '../../../context/context'
import type { Row, Upon } from '../../../replica/api'
import { changeType } from './change-type'
import { objectOf, textOf, type Definition } from './criteria'
import { setSchedule } from './definition'
import { compatibleQuestion, readCompatible, type Compatible } from './fitting'
import { problemsOf } from './problems'

const dayMs = 86_400_000
const typeWords = 'type'

/** Change by the user, applied to the report's current definition. */
interface Step {
  words: string
  made: (report: Definition) => Definition
  /** Values that the user saw. */
  upon: Upon
}

/** State of the builder. Each step is saved as a draft at once, and shown before that. */
export class BuilderModel {
  readonly app: AppContext
  /** Null until the report is created. */
  key = $state<string | null>(null)
  readonly profile: string
  /** Number of unsaved steps. */
  #waiting = $state(0)
  /** Definition with the unsaved steps. Applying a step twice, such as a move, would give another result. */
  #ahead = $state.raw<Definition | null>(null)
  #turn: Promise<unknown> = Promise.resolve()
  /** Labels of the fields that the last change of type removed. */
  dropped = $state.raw<readonly string[]>([])
  readonly #answers = new SvelteMap<string, Compatible>()
  #asked = new Set<string>()
  /** Why the compatibility check failed, or ''. */
  trouble = $state('')

  constructor(app: AppContext, profile: string, key: string | null) {
    this.app = app
    this.profile = profile
    this.key = key
  }

  readonly facts = $derived.by((): Collection => this.app.replica.facts.of('reports'))
  readonly row = $derived.by((): Row | undefined => (this.key === null ? undefined : this.app.replica.peek(this.key)))
  readonly gone = $derived(this.key !== null && this.#waiting === 0 && !this.row?.value)
  /** Definition with all steps applied. */
  readonly report = $derived.by((): Definition => this.#ahead ?? this.row?.value ?? {})
  readonly problems = $derived.by(() => problemsOf(this.report, this.facts.table))
  /** True if no local check fails. */
  readonly runs = $derived.by(() => this.problems.every(({ unsure }) => unsure))

  /** Resolves once every step so far is saved, or its error is shown. */
  settled(): Promise<unknown> {
    return this.#turn
  }

  /** The definition as the user sees it now. */
  get seen(): Upon {
    return { seq: this.row?.remoteSeq, record: this.report }
  }

  /** Saves a step as a draft, unless it changes nothing. Errors are shown. `upon`: what the user saw when they began it. */
  step(words: string, made: (report: Definition) => Definition, upon = this.seen): Promise<void> {
    const one: Step = { words, made, upon }
    if (words !== typeWords) this.dropped = []
    this.#ahead = made(this.report)
    this.#waiting += 1
    const under = this.app.accounts.edits.begin(`Change ${words}`)
    const done = this.#turn
      .then(() => this.#keep(one))
      .catch((error: unknown) => {
        this.app.toasts.show(`Couldn’t save the change to the ${words}. ${faultOf(error).message}`, { level: 'error' })
      })
      .finally(() => {
        this.#waiting -= 1
        if (this.#waiting === 0) this.#ahead = null
        under.end()
      })
    this.#turn = done
    return done
  }
  async #keep({ words, made, upon }: Step): Promise<void> {
    const { app, key } = this
    const now = key === null ? undefined : await app.replica.read(key)
    if (!now?.value) {
      app.toasts.show(`Couldn’t save the change to the ${words}. The report was deleted.`, { level: 'error' })
      return
    }
    const patch = patchBetween(now.value, made(now.value))
    if (Object.keys(patch).length === 0) return
    const name = textOf(now.value['name'])?.trim() || 'report'
    await app.edit([{ kind: 'change', key: now.key, patch, upon }], {
      label: `Change ${words} of *${name.replaceAll('*', '')}*`,
    })
  }

  /** Creates a report. @returns its key, or null if that failed, which is shown */
  async make(definition: Definition): Promise<string | null> {
    const { app, profile } = this
    const name = (textOf(definition['name']) ?? 'New report').replaceAll('*', '')
    const made = await app.edit([{ kind: 'create', collection: 'reports', parent: profile, value: definition }], {
      label: `New report *${name}*`,
    })
    this.key = made?.keys[0] ?? null
    return this.key
  }

  setType(to: string): Promise<void> {
    const fields = this.facts.table.schemas['Report']?.fields ?? {}
    const { dropped } = changeType(this.report, to, fields)
    this.dropped = dropped
    if (dropped.length > 0)
      this.app.announce(`Removed because this report type doesn’t support them: ${dropped.join(', ')}`)
    return this.step(typeWords, (report) => changeType(report, to, fields).report)
  }

  /** Fields of schedules that were set before. */
  #scheduled: JsonObject = {}
  /** Patches the schedule, or removes it with null. What it had before comes back instead of defaults. */
  setSchedule(patch: JsonObject | null): Promise<void> {
    const now = objectOf(this.report['schedule'])
    const isNew = Object.keys(now).length === 0
    const left = Object.fromEntries(Object.entries(this.#scheduled).filter(([field]) => !(field in now)))
    this.#scheduled = { ...this.#scheduled, ...now }
    const made = patch && (isNew ? { ...patch, ...left } : { ...left, ...patch })
    return this.step('schedule', (report) => setSchedule(report, made))
  }

  /** Time zone of the account's reports. Undefined until the account is loaded. */
  readonly accountZone = $derived.by(() => accountTerms(this.app.replica, this.profile).zone)
  readonly today = $derived.by((): Day => {
    const { clock, preferences } = this.app
    return Math.floor(wallOfInstant(clock.now, this.accountZone ?? preferences.zone) / dayMs)
  })

  readonly online = $derived.by(() => {
    const { offline, phase } = this.app.replica.status
    return !offline && phase !== 'offline' && phase !== 'signIn'
  })

  readonly #question = $derived.by(() => JSON.stringify(compatibleQuestion(this.report)))
  /** Compatible fields from the service for the current selection, or undefined. */
  readonly compatible = $derived.by(() => this.#answers.get(this.#question))
  readonly checking = $derived.by(() => this.compatible === undefined)

  /** Requests compatible fields, debounced. @returns a function that stops it */
  follow(): () => void {
    const question = this.#question
    const known = untrack(() => this.#answers.has(question) || this.#asked.has(question))
    if (known || question === '{}' || !this.online || this.key === null) return () => undefined
    const timer = setTimeout(() => void this.#ask(question), 400)
    return () => clearTimeout(timer)
  }
  async #ask(question: string): Promise<void> {
    const { app, profile } = this
    this.#asked.add(question)
    const body = JSON.parse(question) as JsonObject
    try {
      const answer = await ask(app.bridge, 'service/call', {
        accountId: app.account.id,
        operation: 'trafficking.reports.compatibleFields.query',
        params: { profileId: profile },
        body,
      })
      const lists = readCompatible(body, answer)
      if (lists) this.#answers.set(question, lists)
      this.trouble = ''
    } catch (error) {
      this.trouble = faultOf(error).message
      // The next selection retries.
      this.#asked.delete(question)
    }
  }
}

export const [useBuilder, provideBuilder] = createContext<BuilderModel>()
