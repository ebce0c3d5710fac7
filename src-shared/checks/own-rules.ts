import { z } from 'zod'
import { conditionSchema, type Condition } from '../fields/condition'
import type { Severity } from './rule'

/** A rule that people write. It finds records of a kind for which all conditions hold. */
export interface OwnRule {
  /** Unique in an account, ignoring case. */
  name: string
  /** Name of a collection. */
  kind: string
  severity: Severity
  when: readonly Condition[]
  /** Text of a finding. */
  words: string
  on: boolean
}

export const maxRuleName = 100
export const maxRuleWords = 300
export const maxConditions = 20
/** Maximum number of rules of an account, because they share a storage of a few megabytes with all settings. */
export const maxRules = 100

export const ownRuleSchema = z.strictObject({
  name: z.string().trim().min(1).max(maxRuleName),
  kind: z.string().min(1).max(100),
  severity: z.enum(['error', 'warning', 'hint']),
  when: z.array(conditionSchema).min(1).max(maxConditions),
  words: z.string().trim().min(1).max(maxRuleWords),
  on: z.boolean().default(true),
})

/** A name as it's compared. */
export const plainRuleName = (name: string): string => name.trim().toLowerCase()

export const findRule = (rules: readonly OwnRule[], name: string): OwnRule | undefined =>
  rules.find((one) => plainRuleName(one.name) === plainRuleName(name))

/** The rules with others in place of those with the same names, or of the name `before`. In the order of their names. */
export function withRules(rules: readonly OwnRule[], added: readonly OwnRule[], before?: string): OwnRule[] {
  const gone = new Set([...added.map(({ name }) => name), ...(before === undefined ? [] : [before])].map(plainRuleName))
  return [...rules.filter(({ name }) => !gone.has(plainRuleName(name))), ...added].sort((a, b) =>
    a.name.localeCompare(b.name, 'en', { numeric: true }),
  )
}
