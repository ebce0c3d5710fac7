import { untrack } from 'svelte'
import { maxRuleWords, type OwnRule } from '#shared/checks/own-rules'
import type { Checked, Finding, Severity } from '#shared/checks/rule'
import type { Collection } from '#shared/facts/collection'
import type { CollectionName } from '#shared/facts/names'
import type { Condition } from '../../replica/api'
import { counted } from '../../ui/counted'
import { checkAlone, recordsOf } from './checking'
import { linesFor, newLine, readLines, type ConditionLine } from './condition-lines'
import type { CampaignsModel } from './model.svelte'
import { ruleColumns, ruleKinds, ruleNameProblem, runnable } from './own-rules'

/** Delay between typing and a test, in milliseconds. */
const pause = 200

/** Matches of a rule on this computer before it’s saved. */
type Trial =
  | { state: 'testing' }
  | { state: 'incomplete'; why: string }
  | { state: 'failed'; why: string }
  | { state: 'done'; findings: readonly Finding[]; count: number }

/** Says what a trial found. */
export function trialWords({ trial, kind: { words } }: Pick<RuleEditing, 'trial' | 'kind'>): string {
  if (trial.state === 'testing') return 'Testing…'
  if (trial.state === 'incomplete') return `Not tested yet: ${trial.why}`
  if (trial.state === 'failed') return `Couldn’t test the rule. ${trial.why}`
  const all = counted(trial.count, words.one, words.many)
  const found = trial.findings.length
  return `Finds ${found === 0 ? 'none' : found.toLocaleString('en')} of ${all} on this computer`
}

/** A rule while people write it. */
export class RuleEditing {
  name = $state('')
  kind: Collection = $state.raw(undefined!)
  severity = $state<Severity>('warning')
  words = $state('')
  lines = $state.raw<readonly ConditionLine[]>([])
  /** True once saving it was tried. */
  isTried = $state(false)
  trial = $state.raw<Trial>({ state: 'testing' })
  /** Records to test it on, of one kind. */
  #records: { kind: CollectionName; read: Promise<readonly Checked[]> } | null = null
  #reading = new AbortController()
  readonly #on: boolean

  /**
   * @param from what to start with
   * @param before name of the rule that it replaces
   */
  constructor(
    private readonly model: CampaignsModel,
    from?: OwnRule,
    readonly before?: string,
  ) {
    const kinds = ruleKinds(model.kinds)
    this.kind = kinds.find(({ name }) => name === (from?.kind ?? model.kind.name)) ?? kinds[0]!
    this.#on = from?.on ?? true
    if (from) {
      this.name = from.name
      this.severity = from.severity
      this.words = from.words
    }
    const columns = ruleColumns(this.kind)
    const known = linesFor(model, columns, from?.when ?? [])
    this.lines = known.length > 0 ? known : [this.#firstLine(columns)]
    this.#begun = this.#content()
  }

  /** The initial rule as text. */
  readonly #begun: string
  #content(): string {
    const { name, kind, severity, words, lines } = this
    return JSON.stringify([name, kind.name, severity, words, lines.map(({ draft }) => draft)])
  }
  /** True if nothing would be lost without it. */
  get isUnchanged(): boolean {
    return this.#content() === this.#begun
  }

  readonly columns = $derived.by(() => ruleColumns(this.kind))
  readonly nameProblem = $derived.by(() => ruleNameProblem(this.model.rules.list, this.name, this.before))
  readonly wordsProblem = $derived.by(() =>
    this.words.trim().length > maxRuleWords ? `Use at most ${maxRuleWords} characters` : undefined,
  )

  #firstLine(columns = this.columns): ConditionLine {
    return newLine(columns.find(({ path }) => path === this.kind.title) ?? columns[0]!)
  }

  /** Selects a kind of record. Conditions on columns that it has stay. */
  pickKind(name: string): void {
    const kind = ruleKinds(this.model.kinds).find((one) => one.name === name)
    if (!kind || kind === this.kind) return
    this.kind = kind
    const kinds = new Map(ruleColumns(kind).map((column) => [column.path, column.kind]))
    const before = new Map(this.columns.map((column) => [column.path, column.kind]))
    const kept = this.lines.filter(({ draft: { path } }) => kinds.has(path) && kinds.get(path) === before.get(path))
    this.lines = kept.length > 0 ? kept : [this.#firstLine()]
  }

  /** The rule, or null after its problems are shown. */
  async read(): Promise<OwnRule | null> {
    this.isTried = true
    const read = await readLines(this.model, this.kind, this.columns, this.lines)
    this.lines = read.lines
    const isSound = this.nameProblem === undefined && this.wordsProblem === undefined && this.lines.length > 0
    return read.conditions && isSound ? this.#ruleWith(read.conditions) : null
  }

  #ruleWith(when: readonly Condition[]): OwnRule {
    const [name, words] = [this.name.trim(), this.words.trim()]
    return { name, kind: this.kind.name, severity: this.severity, when, words: words || name, on: this.#on }
  }

  /** Tests the rule while it’s edited, until the calling component unmounts. */
  follow(): void {
    // The form may be closed and opened again.
    const reading = (this.#reading = new AbortController())
    $effect(() => {
      const { kind, lines, columns } = this
      const testing = new AbortController()
      const { signal } = testing
      const timer = setTimeout(
        () =>
          void untrack(() => this.#test(kind, columns, lines, signal)).then(
            (trial) => signal.aborted || (this.trial = trial),
            (error: unknown) =>
              signal.aborted || (this.trial = { state: 'failed', why: error instanceof Error ? error.message : '' }),
          ),
        pause,
      )
      return () => {
        clearTimeout(timer)
        testing.abort()
      }
    })
    $effect(() => () => {
      reading.abort()
      this.#records = null
    })
  }

  async #test(
    kind: Collection,
    columns: RuleEditing['columns'],
    lines: readonly ConditionLine[],
    signal: AbortSignal,
  ): Promise<Trial> {
    const { model } = this
    const read = await readLines(model, kind, columns, lines)
    const why = read.lines.find(({ problem }) => problem !== undefined)?.problem
    if (!read.conditions || read.conditions.length === 0) return { state: 'incomplete', why: why ?? 'Add a condition' }
    const [{ today }, { profile }] = [model, model.scope]
    const { replica } = model.app
    const rule = await runnable(this.#ruleWith(read.conditions), kind, model.zone)
    // Reading continues while people type.
    if (this.#records?.kind !== kind.name) {
      this.trial = { state: 'testing' }
      const reading = recordsOf(replica, kind.name, { profile, today }, { signal: this.#reading.signal })
      const read = reading.then((all) => all.filter(({ value }) => value['archived'] !== true))
      this.#records = { kind: kind.name, read }
      read.catch(() => (this.#records = null))
    }
    const living = await this.#records.read
    signal.throwIfAborted()
    const findings = await checkAlone(replica, living, { today, own: [rule] }, { signal })
    return { state: 'done', findings, count: living.length }
  }
}
