import { untrack } from 'svelte'
import { SvelteMap } from 'svelte/reactivity'
import { groupFindings } from '#shared/checks/check'
import { plainRuleName, type OwnRule } from '#shared/checks/own-rules'
import type { Finding, Rule, Severity } from '#shared/checks/rule'
import { sameJson } from '#shared/json'
import { campaignOf, checkRecords } from './checking'
import type { AppContext } from '../../context/context'
import { clock } from '../../clock'
import type { DraftMark } from './draft-marks'

/** Delay between an edit and its check, in milliseconds, so that typing doesn’t wait for it. */
const pause = 400

/** Parts of the view that the check needs. */
interface CheckedView {
  readonly app: Pick<AppContext, 'replica' | 'toasts'>
  readonly scope: { profile: string }
  readonly zone: string
  readonly today: string
  readonly marks: ReadonlyMap<string, DraftMark>
  /** Rules that people wrote. */
  readonly rules: { readonly active: readonly OwnRule[]; runnable(): Promise<readonly Rule[]> }
}

/** Findings of the rules in the records of a profile. */
interface Found {
  readonly all: readonly Finding[]
  /** The last check of everything. Null before. */
  readonly whole: { readonly count: number; readonly at: number } | null
}
const nothing: Found = { all: [], whole: null }

/** A check that's running. */
interface Check {
  readonly work: AbortController
  /** Campaigns that were edited during a running check of everything. Null for a check of some campaigns. */
  since: Set<string> | null
}

/** Results and running checks of an account, by profile. They outlive the view. */
class Results {
  readonly found = new SvelteMap<string, Found>()
  readonly running = new SvelteMap<string, Check>()
  readonly #edited = new Map<string, Set<string>>()
  /** Rules that people wrote, as of the results of a profile. */
  readonly rules = new Map<string, readonly OwnRule[]>()

  /** Campaigns of a profile to check again because their edits were sent or undone. */
  editedIn(profile: string): Set<string> {
    let edited = this.#edited.get(profile)
    if (!edited) this.#edited.set(profile, (edited = new Set()))
    return edited
  }
}
const known = new WeakMap<object, Results>()

function resultsOf(replica: object): Results {
  let results = known.get(replica)
  if (!results) known.set(replica, (results = new Results()))
  return results
}

/** Findings of the rules in the records of a profile. */
export class Findings {
  readonly #results: Results

  constructor(private readonly model: CheckedView) {
    this.#results = resultsOf(model.app.replica)
  }

  get running(): boolean {
    return this.#results.running.has(this.model.scope.profile)
  }
  get checkingAll(): boolean {
    return Boolean(this.#results.running.get(this.model.scope.profile)?.since)
  }
  get #found(): Found {
    return this.#results.found.get(this.model.scope.profile) ?? nothing
  }
  get all(): readonly Finding[] {
    return this.#found.all
  }
  /** Number of records of the last check of everything. Null before. */
  get count(): number | null {
    return this.#found.whole?.count ?? null
  }
  /** When everything was checked last. Null before. */
  get at(): number | null {
    return this.#found.whole?.at ?? null
  }

  readonly groups = $derived.by(() => groupFindings(this.all))
  /** The worst finding of each place, by record and path. */
  readonly #byCell = $derived.by(() => {
    const found = new SvelteMap<string, Map<string, Finding>>()
    for (const finding of this.all) {
      const own = found.get(finding.record.key) ?? new Map<string, Finding>()
      const known = own.get(finding.path)
      if (!known || worse(finding.rule.severity, known.rule.severity)) own.set(finding.path, finding)
      found.set(finding.record.key, own)
    }
    return found
  })
  of(key: string): ReadonlyMap<string, Finding> | undefined {
    return this.#byCell.get(key)
  }
  countOf(severity: Severity): number {
    return this.all.filter(({ rule }) => rule.severity === severity).length
  }

  /** Checks what edits touched, and everything around it in the same campaigns. */
  follow(): void {
    $effect(() => {
      const { marks, scope } = this.model
      const edited = this.#results.editedIn(scope.profile)
      const marked = new Set<string>()
      for (const { entries } of marks.values()) {
        const { collection, recordId, base, patch } = entries.at(-1)!
        const id = campaignOf({ collection, id: recordId, value: { ...base, ...patch } })
        if (id !== undefined) marked.add(id)
      }
      // Includes records whose edits have just been undone or sent.
      for (const id of marked) edited.add(id)
      if (edited.size === 0) return
      const timer = setTimeout(() => {
        const touched = new Set(edited)
        edited.clear()
        for (const id of marked) edited.add(id)
        void this.check(touched)
      }, pause)
      return () => clearTimeout(timer)
    })
    $effect(() => {
      const { rules, scope } = this.model
      const now = rules.active
      const before = this.#results.rules.get(scope.profile) ?? now
      this.#results.rules.set(scope.profile, now)
      if (!sameJson(now, before)) untrack(() => this.#followRules(before, now))
    })
  }

  /** Drops what rules found that are gone, off, or different, and checks everything if others came. */
  #followRules(before: readonly OwnRule[], now: readonly OwnRule[]): void {
    const has = (rules: readonly OwnRule[], one: OwnRule): boolean => rules.some((other) => sameJson(one, other))
    const gone = new Set(before.flatMap((one) => (has(now, one) ? [] : [`own.${plainRuleName(one.name)}`])))
    const found = this.#found
    if (gone.size > 0)
      this.#results.found.set(this.model.scope.profile, {
        ...found,
        all: found.all.filter(({ rule }) => !gone.has(rule.id)),
      })
    if (this.running || now.some((one) => !has(before, one))) void this.checkAll()
  }

  /** Checks everything on this computer. */
  async checkAll(): Promise<void> {
    await this.check(undefined)
  }

  /**
   * Checks these campaigns, or everything, also if the view is left. A running check of everything continues, and checks these
   * campaigns again at its end.
   */
  async check(campaigns: ReadonlySet<string> | undefined): Promise<void> {
    const { app, scope, today, zone } = this.model
    const { profile } = scope
    const { found, running } = this.#results
    const before = running.get(profile)
    if (campaigns && before?.since) {
      for (const id of campaigns) before.since.add(id)
      return
    }
    before?.work.abort()
    const mine: Check = { work: new AbortController(), since: campaigns ? null : new Set() }
    const { signal } = mine.work
    running.set(profile, mine)
    try {
      const own = await this.model.rules.runnable()
      const step = async (some: ReadonlySet<string> | undefined): Promise<void> => {
        const what = { profile, today, zone, campaigns: some, own }
        const { findings, count } = await checkRecords(app.replica, what, { signal })
        // A check of some campaigns keeps what was found in others.
        const last = found.get(profile) ?? nothing
        const kept = some ? last.all.filter(({ record }) => !isAmong(record, some)) : []
        found.set(profile, { all: [...kept, ...findings], whole: some ? last.whole : { count, at: clock.now() } })
      }
      await step(campaigns)
      const edited = mine.since
      mine.since = null
      if (edited && edited.size > 0) await step(edited)
    } catch (error) {
      if (!signal.aborted && !campaigns)
        app.toasts.show(`Couldn’t check. ${error instanceof Error ? error.message : ''}`, { level: 'error' })
    } finally {
      if (running.get(profile) === mine) running.delete(profile)
    }
  }
}

/** The column that shows a place. The first one for a place without a column. */
export function columnOf(paths: readonly string[], path: string): number {
  const exact = paths.indexOf(path)
  if (exact >= 0) return exact
  const around = paths.findIndex((one) => path.startsWith(`${one}.`) || one.startsWith(`${path}.`))
  return Math.max(0, around)
}

export const severities: readonly Severity[] = ['error', 'warning', 'hint']
export const worse = (one: Severity, other: Severity): boolean => severities.indexOf(one) < severities.indexOf(other)

export const severityWords: Readonly<Record<Severity, string>> = { error: 'Error', warning: 'Warning', hint: 'Hint' }

/** True if a record was part of a check of these campaigns. Records outside of campaigns always are. */
function isAmong(record: Finding['record'], campaigns: ReadonlySet<string>): boolean {
  const campaign = campaignOf(record)
  return campaign === undefined || campaigns.has(campaign)
}
