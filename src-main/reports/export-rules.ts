import { z } from 'zod'
import { exportRuleSchema, runExportSchema } from '#shared/reports/export-rules'
import { KeptFile } from '../disk/kept-file'
import type { Library } from './library'

const keptRuleSchema = z.object({
  rule: exportRuleSchema,
  /** Runs that are older than the rule. */
  before: z.array(z.string()),
  exports: z.array(runExportSchema),
  /** Exported files with their size and time, oldest first. */
  files: z.array(z.object({ path: z.string(), bytes: z.number(), modified: z.number() })),
  /** Content hash of the last exported file. */
  hash: z.string().optional(),
  /** Path of the next export, which was free when it was saved. */
  intended: z.object({ runId: z.string(), path: z.string() }).optional(),
})
/** Stored rule and its history. */
export type KeptRule = z.output<typeof keptRuleSchema>
const fileSchema = z.object({ version: z.literal(1), rules: z.array(keptRuleSchema).max(10_000) })

/** Stores automatic export rules, in one file per account. Callers must serialize changes. */
export class ExportRules {
  readonly #library: Library

  constructor(library: Library) {
    this.#library = library
  }

  /** @throws FaultError `storage` if the file can't be read or is invalid */
  async read(accountId: string): Promise<KeptRule[]> {
    return (await this.#file(accountId).read()).rules
  }

  /** @throws FaultError `storage` */
  async write(accountId: string, rules: readonly KeptRule[]): Promise<void> {
    await this.#file(accountId).write({ version: 1, rules: [...rules] })
  }

  #file(accountId: string): KeptFile<z.output<typeof fileSchema>> {
    return new KeptFile(this.#library.accountFile(accountId, 'export-rules.json'), fileSchema, {
      missing: { version: 1, rules: [] },
      whenUnreadable: {
        disk: 'Nothing was exported.',
        content: (path) =>
          `Couldn’t read ${path}, so automatic exports are off. The file is unchanged. Move it elsewhere to start over.`,
      },
    })
  }
}
