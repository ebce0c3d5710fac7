import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { FaultError } from '#shared/fault'
import { exportRuleSchema, runExportSchema } from '#shared/reports/export-rules'
import { storageFault } from '#shared/storage-words'
import { privateFolder, savePrivate } from '../disk/private'
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
    const path = this.#path(accountId)
    let text
    try {
      text = await readFile(path, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw storageFault(error, 'Nothing was exported.')
    }
    const read = fileSchema.safeParse(jsonOf(text))
    if (read.success) return read.data.rules
    // Overwriting it would lose what a later version stored.
    throw new FaultError({
      code: 'storage',
      message: `Couldn’t read ${path}, so automatic exports are off. The file is unchanged. Move it elsewhere to start over.`,
    })
  }

  /** @throws FaultError `storage` */
  async write(accountId: string, rules: readonly KeptRule[]): Promise<void> {
    const path = this.#path(accountId)
    await privateFolder(dirname(path)).catch((error: unknown) => {
      throw storageFault(error, 'The automatic export isn’t saved.')
    })
    await savePrivate(path, [JSON.stringify({ version: 1, rules })])
  }

  #path(accountId: string): string {
    return this.#library.accountFile(accountId, 'export-rules.json')
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
