import { isAbsolute } from 'node:path'
import { FaultError } from '#shared/fault'
import type { ExportRuleSeen } from '#shared/reports/export-rules'
import type { Handlers } from '../ipc/handle'
import type { AutoExports } from '../reports/auto-exports'
import { noteWritten, wasChosen } from './files'

export interface ExportRuleDeps {
  rules: AutoExports
}

/** Handlers for automatic exports. */
export const exportRuleHandlers = ({
  rules,
}: ExportRuleDeps): Pick<Handlers, Extract<keyof Handlers, `rules/${string}`>> => ({
  'rules/list': async ({ accountId }) => answer(await rules.list(accountId)),
  'rules/keep': async ({ accountId, rule }) => {
    const old = (await rules.list(accountId)).find(
      ({ rule: { service, reportId } }) => service === rule.service && reportId === rule.reportId,
    )
    if (!isAbsolute(rule.folder) || (!wasChosen(rule.folder) && old?.rule.folder !== rule.folder))
      throw new FaultError({ code: 'invalid', message: 'Choose a folder to export to.' })
    return answer(await rules.keep(accountId, rule))
  },
  'rules/remove': async ({ accountId, ...report }) => answer(await rules.remove(accountId, report)),
  'rules/again': async ({ accountId }) => answer(await rules.carryOut(accountId)),
})

/** Allows the system's file manager to show the files of a rule. */
function answer(rules: ExportRuleSeen[]): { rules: ExportRuleSeen[] } {
  for (const { exports } of rules) for (const { path } of exports) if (path !== undefined) noteWritten(path)
  return { rules }
}
