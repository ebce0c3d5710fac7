import { faultOf } from '#shared/fault'
import { readRules, sharedRulesSchema, type RulesRead, type SharedRule } from '#shared/checks/rules-file'
import { ask } from '../../bridge'
import { counted } from '../../ui/counted'
import type { CampaignsModel } from './model.svelte'
import { rulePatternProblem } from './own-rules'

/** Rules of a file that people choose. Undefined if there's none, after a message says why. */
export async function openRules({
  app,
  rules,
}: Pick<CampaignsModel, 'app' | 'rules'>): Promise<{ name: string; read: RulesRead } | undefined> {
  try {
    const file = await ask(app.bridge, 'check-rules/open', {})
    if (!file) return undefined
    const read = readRules(file.text, (rule) => rules.problemOf(rule))
    return { name: file.name, read: await withoutBadPatterns(read) }
  } catch (error) {
    const { code, message } = faultOf(error)
    if (code !== 'aborted') app.toasts.show(`Couldn’t read the file. ${message}`, { level: 'error' })
    return undefined
  }
}

async function withoutBadPatterns({ rules, problems }: RulesRead): Promise<RulesRead> {
  const found = await Promise.all(rules.map(async (rule) => ({ rule, problem: await rulePatternProblem(rule) })))
  return {
    rules: found.flatMap(({ rule, problem }) => (problem === undefined ? [rule] : [])),
    problems: [
      ...problems,
      ...found.flatMap(({ rule, problem }) => (problem === undefined ? [] : [`“${rule.name}”: ${problem}`])),
    ],
  }
}

/** Saves rules to a file that people choose. */
export async function saveRules({ app }: Pick<CampaignsModel, 'app'>, rules: readonly SharedRule[]): Promise<void> {
  try {
    const saved = await ask(app.bridge, 'check-rules/save', {
      suggestedName: 'Custom rules',
      rules: sharedRulesSchema.parse(rules),
    })
    if (saved) app.toasts.show(`Saved ${counted(rules.length, 'rule')} to ${saved.path}`)
  } catch (error) {
    app.toasts.show(`Couldn’t save the rules. ${faultOf(error).message}`, { level: 'error' })
  }
}
