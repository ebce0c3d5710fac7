import { maxRules, withRules, type OwnRule } from '#shared/checks/own-rules'
import { compareRules, shared, type SharedRule } from '#shared/checks/rules-file'
import type { Rule } from '#shared/checks/rule'
import type { Collection } from '#shared/facts/collection'
import { isJsonObject } from '#shared/json'
import type { AppContext } from '../../context/context'
import { counted } from '../../ui/counted'
import { readOwnRules, ruleProblem, runnables, undoneRules, unreadRules } from './own-rules'

/** Parts of the view that rules need. */
interface RuledView {
  readonly app: Pick<AppContext, 'settings' | 'account' | 'toasts'>
  readonly kinds: readonly Collection[]
  readonly zone: string
}

/** Custom rules, of this account. */
export class OwnRules {
  /** The last change, which the dialog can undo until `tell` offers that in a message. */
  last = $state.raw<{ text: string; undo: () => void } | null>(null)

  constructor(private readonly model: RuledView) {}

  /** By name. */
  readonly list = $derived.by((): readonly OwnRule[] => {
    const { settings, account } = this.model.app
    return withRules([], readOwnRules(objectOf(settings.values.checkRules)[account.id]))
  })
  /** Enabled rules. */
  readonly active = $derived.by(() => this.list.filter(({ on }) => on))
  readonly isFull = $derived.by(() => this.list.length >= maxRules)

  /** Why a rule doesn’t apply to this account. Undefined if it does. */
  problemOf(rule: SharedRule): string | undefined {
    return ruleProblem(this.model.kinds, rule)
  }
  /** Enabled rules as the check runs them. */
  runnable(): Promise<readonly Rule[]> {
    return runnables(this.active, this.model.kinds, this.model.zone)
  }

  /** Saves a rule, in place of one with the name `before`. */
  save(rule: OwnRule, before?: string): void {
    const verb = before === undefined ? 'Saved' : 'Updated'
    this.#change(withRules(this.list, [rule], before), `${verb} rule “${rule.name}”`)
  }
  remove({ name }: OwnRule): void {
    this.#change(
      this.list.filter((one) => one.name !== name),
      `Deleted rule “${name}”`,
    )
  }
  turn(rule: OwnRule, on: boolean): void {
    this.#store(withRules(this.list, [{ ...rule, on }]))
  }
  /** Why rules of a file can't be added. Undefined if they can. */
  importProblem(rules: readonly SharedRule[]): string | undefined {
    const over = this.list.length + compareRules(this.list, rules).added.length - maxRules
    return over > 0 ? `You can have up to ${maxRules} rules. To import these, delete ${over} of your rules` : undefined
  }
  /** Adds rules of a file, in place of those with the same names, if there's room for all of them. */
  import(rules: readonly SharedRule[]): void {
    if (this.importProblem(rules) !== undefined) return
    const { added, changed } = compareRules(this.list, rules)
    const made = [
      ...added.map((rule) => ({ ...rule, on: true })),
      ...changed.map(({ rule, before }) => ({ ...rule, on: before.on })),
    ]
    this.#change(withRules(this.list, made), `Imported ${counted(made.length, 'rule')}`)
  }
  /** All rules, as they’re saved in a file. */
  get shared(): SharedRule[] {
    return this.list.map(shared)
  }

  #change(after: readonly OwnRule[], text: string): void {
    const before = this.list
    this.#store(after)
    const undo = (): void => {
      this.#store(undoneRules(this.list, before, after))
      if (this.last === change) this.last = null
    }
    const change = (this.last = { text, undo })
  }
  /** Shows the last change as a message, once the dialog that shows it is closed. */
  tell(): void {
    const change = this.last
    if (!change) return
    this.last = null
    this.model.app.toasts.show(change.text, { action: { label: 'Undo', run: change.undo } })
  }
  /** Stores the rules. Those of other accounts, and those that only a newer version can read, stay as they're stored. */
  #store(rules: readonly OwnRule[]): void {
    const { settings, account } = this.model.app
    const stored = objectOf(settings.values.checkRules)
    settings.set({ checkRules: { ...stored, [account.id]: [...rules, ...unreadRules(stored[account.id])] } })
  }
}

const objectOf = (value: unknown): Readonly<Record<string, unknown>> => (isJsonObject(value) ? { ...value } : {})
