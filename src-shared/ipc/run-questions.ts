import { z } from 'zod'
import { exportRuleSchema, type ExportRuleSeen } from '#shared/reports/export-rules'
import { runIdSchema } from '#shared/reports/run-id'
import type { Run, SearchDefinition, ServerRuns } from '#shared/reports/runs'
import { account } from './account-questions'
import { isZone } from '#shared/time/zones'

const json = z.record(z.string(), z.unknown())
const ofReport = account.extend({ profileId: z.string().max(100), reportId: z.string().max(100) })
const ofRun = account.extend({ runId: runIdSchema })

export const runQuestions = {
  'reports/runs': account,
  /** Returns the unfinished run of the same report, if there is one. */
  'reports/run': account.extend({
    wanted: z.discriminatedUnion('service', [
      z.object({
        service: z.literal('trafficking'),
        profileId: z.string().max(100),
        report: json,
        /** Outbox entries to wait for. `reports/release` says that they were sent. */
        awaits: z.array(z.string().max(100)).max(10_000),
      }),
      z.object({
        service: z.literal('search'),
        reportId: z.string().max(100),
        name: z.string(),
        request: json,
        /** Time zone of the dates, until the service has reported its own. */
        zone: z.string().max(100).refine(isZone, 'isn’t a time zone'),
      }),
    ]),
  }),
  /** One page of a report’s runs on the server that this computer doesn’t have. */
  'reports/server-runs': ofReport.extend({ pageToken: z.string().max(10_000).optional() }),
  /** Downloads a run from the server. Returns the existing run of that file, if there is one. */
  'reports/download': ofReport.extend({ fileId: z.string().max(100) }),
  'reports/release': ofRun.extend({ report: json }),
  'reports/stop': ofRun,
  /** Resumes a run that was stopped or waits, or reruns one that failed. `rerun` always reruns. */
  'reports/again': ofRun.extend({ rerun: z.boolean().optional() }),
  'reports/pin': ofRun.extend({ pinned: z.boolean() }),
  /** `reports/restore` undoes this until the app restarts. */
  'reports/remove': ofRun,
  'reports/restore': ofRun,
  'reports/reveal': ofRun,
  'reports/definitions': account,
  /** Creates a report if there's no ID. */
  'reports/keep-definition': account.extend({
    definition: z.object({ id: z.string().max(80).optional(), name: z.string().max(1_000), request: json }),
  }),
  'reports/remove-definition': account.extend({ definitionId: z.string().max(80) }),
  'rules/list': account,
  /** Saves an automatic export. Its folder was chosen by the user or already belongs to the rule. */
  'rules/keep': account.extend({ rule: exportRuleSchema }),
  'rules/remove': account.extend(exportRuleSchema.pick({ service: true, reportId: true }).shape),
  /** Retries waiting exports. */
  'rules/again': account,
  /** Chooses a folder for any kind of export. Null if the user cancels. */
  'export-folders/choose': z.object({}),
} as const

export interface RunAnswers {
  'reports/runs': { runs: Run[] }
  'reports/run': Run
  'reports/server-runs': ServerRuns
  'reports/download': Run
  'reports/release': Run
  'reports/stop': Run
  'reports/again': Run
  'reports/pin': Run
  'reports/remove': null
  'reports/restore': Run
  'reports/reveal': null
  'reports/definitions': { definitions: SearchDefinition[] }
  'reports/keep-definition': SearchDefinition
  'reports/remove-definition': null
  'rules/list': { rules: ExportRuleSeen[] }
  'rules/keep': { rules: ExportRuleSeen[] }
  'rules/remove': { rules: ExportRuleSeen[] }
  'rules/again': { rules: ExportRuleSeen[] }
  'export-folders/choose': { folder: string } | null
}
