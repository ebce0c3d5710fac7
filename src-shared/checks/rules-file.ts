import { safeParse } from '../safe-parse'
import { z } from 'zod'
import { sameJson } from '../json'
import { lineOfJsonFault } from '../json-line'
import { maxRules, ownRuleSchema, plainRuleName, type OwnRule } from './own-rules'

/** Version of the file. A newer one isn't read, because its rules may mean something else. */
const version = 1
const format = 'flightplan-check-rules'

/** Maximum size of a file of rules, in bytes. */
export const maxRulesFile = 2_000_000

/** Rules in a file, without whether they're on. */
export const sharedRulesSchema = z
  .array(ownRuleSchema.omit({ on: true }))
  .min(1)
  .max(maxRules)
export type SharedRule = Omit<OwnRule, 'on'>

/** The text of a file with rules. */
export const writeRules = (rules: readonly SharedRule[]): string =>
  `${JSON.stringify({ format, version, rules }, null, 2)}\n`

/** Rules of a file, and why others can't be read. */
export interface RulesRead {
  rules: readonly SharedRule[]
  /** Each names the rule or the line. */
  problems: readonly string[]
}

const headSchema = z.object({ format: z.literal(format), version: z.number(), rules: z.array(z.unknown()) })

/**
 * Reads a file with rules.
 * @param problemOf why a rule that was read can't be used here
 */
export function readRules(text: string, problemOf: (rule: SharedRule) => string | undefined): RulesRead {
  const none = (problem: string): RulesRead => ({ rules: [], problems: [problem] })
  const content = parsed(text)
  if ('problem' in content) return none(content.problem)
  const head = safeParse(headSchema, content.value)
  if (!head.success) return none('This file doesn’t contain custom rules')
  if (head.data.version !== version)
    return none(
      head.data.version > version
        ? 'This file was saved by a newer version. Update Flightplan, then try again'
        : 'This file has an unknown version',
    )
  if (head.data.rules.length === 0) return none('This file contains no rules')
  if (head.data.rules.length > maxRules)
    return none(
      `This file has ${head.data.rules.length.toLocaleString('en')} rules. At most ${maxRules} can be imported`,
    )
  const rules = new Map<string, SharedRule>()
  const problems: string[] = []
  for (const [at, one] of head.data.rules.entries()) {
    const named = nameOf(one, at)
    const read = safeParse(sharedRulesSchema.element, one)
    const problem = read.success ? problemOf(read.data) : issueWords(read.error.issues)
    if (problem !== undefined) problems.push(`${named}: ${problem}`)
    else if (rules.has(plainRuleName(read.data!.name))) problems.push(`${named}: Another rule has this name`)
    else rules.set(plainRuleName(read.data!.name), read.data!)
  }
  return { rules: [...rules.values()], problems }
}

/** JSON, or the line at which it isn't. */
function parsed(text: string): { value: unknown } | { problem: string } {
  try {
    return { value: JSON.parse(text.replace(/^\uFEFF/, '')) as unknown }
  } catch {
    return { problem: `Line ${lineOfJsonFault(text).toLocaleString('en')}: This isn’t valid JSON` }
  }
}

function nameOf(rule: unknown, at: number): string {
  const name = safeParse(z.object({ name: z.string() }), rule).data?.name.trim()
  return name ? `Rule ${at + 1}, “${name.slice(0, 100)}”` : `Rule ${at + 1}`
}

type Issue = z.core.$ZodIssue

/** The first problem of a rule, with its place in the file. */
function issueWords([issue]: readonly Issue[]): string {
  const [first, place] = issue?.path ?? []
  if (first === 'when' && typeof place === 'number') return `Condition ${place + 1} can’t be read`
  if (issue?.code === 'unrecognized_keys') return `Unknown field “${issue.keys[0]!.slice(0, 100)}”`
  return first === undefined ? 'Can’t be read' : `“${String(first)}” is missing or can’t be read`
}

/** Rules of a file next to those of the account, by name. */
export interface RulesCompared {
  added: readonly SharedRule[]
  changed: readonly { rule: SharedRule; before: OwnRule }[]
  same: readonly SharedRule[]
}

/** Changes of an import. */
export function compareRules(known: readonly OwnRule[], read: readonly SharedRule[]): RulesCompared {
  const byName = new Map(known.map((one) => [plainRuleName(one.name), one]))
  const found = read.map((rule) => ({ rule, before: byName.get(plainRuleName(rule.name)) }))
  return {
    added: found.flatMap(({ rule, before }) => (before ? [] : [rule])),
    changed: found.flatMap(({ rule, before }) => (before && !sameJson(rule, shared(before)) ? [{ rule, before }] : [])),
    same: found.flatMap(({ rule, before }) => (before && sameJson(rule, shared(before)) ? [rule] : [])),
  }
}

/** A rule as it's saved in a file. */
export const shared = ({ name, kind, severity, when, words }: OwnRule): SharedRule => ({
  ...{ name, kind, severity, when, words },
})
