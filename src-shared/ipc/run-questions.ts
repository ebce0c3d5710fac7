import { z } from 'zod'
import { exportRuleSchema, type ExportRuleSeen } from '#shared/reports/export-rules'
import { runIdSchema } from '#shared/reports/run-id'
import type { Run, SearchDefinition } from '#shared/reports/runs'
import { account } from './account-questions'
import { isZone } from '#shared/time/zones'

const json = z.record(z.string(), z.unknown())
const ofRun = account.extend({ runId: runIdSchema })

export const runQuestions = {
  'reports/runs': account,
  /** A run of the same report that is not over is the answer. */
  'reports/run': account.extend({
    wanted: z.discriminatedUnion('service', [
      z.object({
        service: z.literal('trafficking'),
        profileId: z.string().max(100),
        report: json,
        /** Entries of the outbox; where there are any it waits until `reports/release` says that they are sent. */
        awaits: z.array(z.string().max(100)).max(10_000),
      }),
      z.object({
        service: z.literal('search'),
        reportId: z.string().max(100),
        name: z.string(),
        request: json,
        /** In which its days are told apart, until the service has said its own. */
        zone: z.string().max(100).refine(isZone, 'is no time zone'),
      }),
    ]),
  }),
  'reports/release': ofRun.extend({ report: json }),
  'reports/stop': ofRun,
  /** Goes on with one that was stopped or waits, runs one anew that failed, or is wanted `anew`. */
  'reports/again': ofRun.extend({ anew: z.boolean().optional() }),
  'reports/pin': ofRun.extend({ pinned: z.boolean() }),
  /** `reports/restore` takes it back, until the app is started again. */
  'reports/remove': ofRun,
  'reports/restore': ofRun,
  'reports/reveal': ofRun,
  'reports/definitions': account,
  /** A new one where it has no id. */
  'reports/keep-definition': account.extend({
    definition: z.object({ id: z.string().max(80).optional(), name: z.string().max(1_000), request: json }),
  }),
  'reports/remove-definition': account.extend({ definitionId: z.string().max(80) }),
  'rules/list': account,
  /** What follows each run of a report. Its folder is one that the person chose, or that the rule has. */
  'rules/keep': account.extend({ rule: exportRuleSchema }),
  'rules/remove': account.extend(exportRuleSchema.pick({ service: true, reportId: true }).shape),
  /** Tries what waits once more. */
  'rules/again': account,
  /** For exports of any kind; null where none was chosen. */
  'export-folders/choose': z.object({}),
} as const

export interface RunAnswers {
  'reports/runs': { runs: Run[] }
  'reports/run': Run
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
