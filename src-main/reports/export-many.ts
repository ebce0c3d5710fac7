import { FaultError, faultOf } from '#shared/fault'
import type { ExportRule } from '#shared/reports/export-rules'
import type { ExportMany, OneOfMany } from '#shared/reports/export-many'
import { freePath, missingFolder } from './export-rules-files'
import type { AutoExportsOptions } from './auto-exports'
import type { Library } from './library'
import type { RunRecord } from './run-record'

export interface ManyOptions {
  library: Pick<Library, 'runs' | 'hasFile'>
  accountName: (accountId: string) => string
  write: AutoExportsOptions['write']
  /** Called before each file. `done`: number of finished files. */
  onprogress: (progress: { done: number; of: number; name: string }) => void
}

/** Exports several runs to one folder, one after the other. */
export class ManyExports {
  readonly #options: ManyOptions
  #under: AbortController | undefined

  constructor(options: ManyOptions) {
    this.#options = options
  }

  /**
   * Exports runs. @returns their outcomes, in order. @throws FaultError `notFound` without the folder, `invalid` during
   * another export
   */
  async export(wanted: ExportMany): Promise<OneOfMany[]> {
    const { library, onprogress } = this.#options
    if (this.#under)
      throw new FaultError({
        code: 'invalid',
        message: 'Another export is running. Wait for it to finish, or stop it.',
      })
    const control = (this.#under = new AbortController())
    try {
      const missing = await missingFolder(wanted.folder)
      if (missing !== undefined) throw new FaultError({ code: 'notFound', message: missing })
      const runs = new Map((await library.runs(wanted.accountId)).map((run) => [run.id, run]))
      const outcomes: OneOfMany[] = []
      for (const [done, runId] of wanted.runIds.entries()) {
        const run = runs.get(runId)
        onprogress({ done, of: wanted.runIds.length, name: run?.name ?? '' })
        outcomes.push({ runId, ...(await this.#one(run, wanted, control.signal)) })
      }
      return outcomes
    } finally {
      this.#under = undefined
    }
  }

  /** Stops the export. Deletes the current partial file and keeps finished ones. */
  stop(): void {
    this.#under?.abort()
  }

  async #one(
    run: RunRecord | undefined,
    { folder, template, zone, format, dialect, paper }: ExportMany,
    signal: AbortSignal,
  ): Promise<Omit<OneOfMany, 'runId'>> {
    const { library, accountName, write } = this.#options
    const stopped = { how: 'notReached', words: 'Not exported because the export was stopped.' } as const
    if (signal.aborted) return stopped
    try {
      if (!run || !(await library.hasFile(run)))
        return { how: 'failed', words: 'Not exported. Its results are no longer on this computer.' }
      const rule: ExportRule = {
        ...{ service: run.service, reportId: run.reportId ?? run.id, format, folder, name: template, zone },
        ...(dialect && { dialect }),
        ...(paper && { paper }),
        ...{ keep: 0, onlyIfChanged: false, onlyIfTotalsAgree: false },
      }
      for (;;) {
        const path = await freePath(rule, run, accountName(run.accountId))
        try {
          const { notes } = await write(run, rule, path, signal)
          return { how: 'written', words: notes.join(' '), path }
        } catch (error) {
          // Someone has saved a file with that name since.
          if (faultOf(error).code !== 'duplicate') throw error
        }
      }
    } catch (error) {
      if (signal.aborted) return stopped
      return { how: 'failed', words: `Not exported. ${faultOf(error).message}` }
    }
  }
}
