import { SvelteMap } from 'svelte/reactivity'
import type { RequestArguments, RequestName } from '#shared/ipc/contract'
import type { ExportRule, ExportRuleSeen, RunExport } from '#shared/reports/export-rules'
import type { Run } from '#shared/reports/runs'
import { ask } from '../../../bridge'
import { attempt } from '../../../context/attempt'
import type { AppContext } from '../../../context/context'

type OfReport = Pick<ExportRule, 'service' | 'reportId'>
type RuleRequest = Extract<RequestName, 'rules/list' | 'rules/keep' | 'rules/remove' | 'rules/again'>

const keyOf = ({ service, reportId }: OfReport): string => `${service} ${reportId}`

/** Automatic exports, which main stores and runs. */
export class RulesModel {
  readonly #app: AppContext
  readonly #rules = new SvelteMap<string, ExportRuleSeen>()
  /** True during a request. */
  busy = $state(false)

  constructor(app: AppContext) {
    this.#app = app
  }

  /** Loads the rules and subscribes to changes. @returns a function that unsubscribes */
  follow(): () => void {
    const { bridge, account } = this.#app
    const off = bridge.on('rules/changed', ({ accountId, rules }) => {
      if (accountId === account.id) this.#take(rules)
    })
    void this.#ask('rules/list', { accountId: account.id }, '')
    return off
  }

  of(report: OfReport): ExportRuleSeen | undefined {
    return this.#rules.get(keyOf(report))
  }
  /** Outcome of a run's automatic export, or undefined. */
  ofRun({ id, service, reportId }: Run): RunExport | undefined {
    if (reportId === undefined) return undefined
    return this.of({ service, reportId })?.exports.find(({ runId }) => runId === id)
  }

  /** @returns true if the rule was saved. Errors are shown */
  keep(rule: ExportRule): Promise<boolean> {
    return this.#ask('rules/keep', { accountId: this.#app.account.id, rule }, 'Couldn’t save the automatic export.')
  }
  remove({ service, reportId }: OfReport): Promise<boolean> {
    return this.#ask(
      'rules/remove',
      { accountId: this.#app.account.id, service, reportId },
      'Couldn’t stop the automatic export.',
    )
  }
  async again(): Promise<void> {
    await this.#ask('rules/again', { accountId: this.#app.account.id }, '')
  }
  /** Changes the folder of a rule, which retries its pending exports. */
  async move({ rule }: ExportRuleSeen): Promise<void> {
    const folder = await this.#app.presets.chooseFolder()
    if (folder === undefined) return
    await this.keep({ ...rule, folder })
  }
  async reveal(path: string): Promise<void> {
    await attempt(this.#app.toasts, ask(this.#app.bridge, 'app/reveal-file', { path }))
  }

  async #ask<N extends RuleRequest>(name: N, args: RequestArguments<N>, failed: string): Promise<boolean> {
    this.busy = true
    const answer = await attempt(this.#app.toasts, ask(this.#app.bridge, name, args), { failed })
    this.busy = false
    if (answer) this.#take(answer.rules)
    return answer !== undefined
  }

  #take(rules: readonly ExportRuleSeen[]): void {
    const keys = new Set(rules.map(({ rule }) => keyOf(rule)))
    for (const key of this.#rules.keys()) if (!keys.has(key)) this.#rules.delete(key)
    for (const seen of rules) this.#rules.set(keyOf(seen.rule), seen)
  }
}
