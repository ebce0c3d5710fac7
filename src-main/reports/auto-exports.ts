import { stat } from 'node:fs/promises'
import { faultOf } from '#shared/fault'
import { currentText } from '#shared/former-words'
import type { ExportRule, ExportRuleSeen, RunExport } from '#shared/reports/export-rules'
import { SerialQueue } from '#shared/serial-queue'
import type { Clock } from '#shared/time/clock'
import { ExportRules, type KeptRule } from './export-rules'
import { cleared, contentHash, freePath, isThere, missingFolder } from './export-rules-files'
import type { Library } from './library'
import type { RunRecord } from './run-record'

export interface AutoExportsOptions {
  library: Library
  clock: Clock
  /** Name of the account for file names. */
  accountName: (accountId: string) => string
  /** Writes the file of a run to a free path, atomically. @throws FaultError `duplicate` if the path is taken */
  write: (run: RunRecord, rule: ExportRule, path: string, signal: AbortSignal) => Promise<{ notes: readonly string[] }>
  changed: (accountId: string, rules: ExportRuleSeen[]) => void
}

type Ending = Pick<RunExport, 'how' | 'words' | 'path'> & Partial<Pick<KeptRule, 'hash'>>

/**
 * Automatic exports after runs. Each file is exported exactly once, even if the app is killed, or waits with a reason.
 */
export class AutoExports {
  readonly #options: AutoExportsOptions
  readonly #rules: ExportRules
  readonly #closing = new AbortController()
  /** Serializes exports, because free names depend on existing files, and the rules are read and written as a whole. */
  readonly #order = new SerialQueue()

  constructor(options: AutoExportsOptions) {
    this.#options = options
    this.#rules = new ExportRules(options.library)
  }

  /** @throws FaultError `storage` */
  list(accountId: string): Promise<ExportRuleSeen[]> {
    return this.#order.run(async () => this.#seen(accountId, await this.#rules.read(accountId)))
  }

  /** Announces the rules again, because a run was deleted or restored. */
  tellAgain(accountId: string): Promise<ExportRuleSeen[]> {
    return this.#order.run(async () => this.#tell(accountId, await this.#rules.read(accountId)))
  }

  /**
   * Saves the rule of a report. A new rule skips existing files, and pending exports are retried. @throws FaultError
   */
  keep(accountId: string, rule: ExportRule): Promise<ExportRuleSeen[]> {
    return this.#order.run(async () => {
      const rules = await this.#rules.read(accountId)
      const old = rules.find((one) => isOf(one.rule, rule))
      // A deleted run may be restored, and it's older than the rule, too.
      const aside = (await this.#options.library.asideRuns(accountId)).filter(({ state }) => state === 'kept')
      // Includes runs with files that are out of reach now.
      const here = (await this.#options.library.runs(accountId)).filter(({ state }) => state === 'kept')
      const runs = [...here, ...aside].filter((run) => isOf(run, rule))
      const kept: KeptRule = old
        ? // With other options it's another file, even if the results are unchanged.
          { ...old, rule, hash: undefined }
        : { rule, before: runs.map(({ id }) => id), exports: [], files: [] }
      await this.#rules.write(accountId, [...rules.filter((one) => one !== old), kept])
      return this.#carryOut(accountId)
    })
  }

  /** Removes a rule. Its exported files stay. @throws FaultError `storage` */
  remove(accountId: string, report: Pick<ExportRule, 'service' | 'reportId'>): Promise<ExportRuleSeen[]> {
    return this.#order.run(async () => {
      const left = (await this.#rules.read(accountId)).filter(({ rule }) => !isOf(rule, report))
      await this.#rules.write(accountId, left)
      return this.#tell(accountId, left)
    })
  }

  /** Runs all pending exports: after a run, after a start, or on request. @throws FaultError */
  carryOut(accountId: string): Promise<ExportRuleSeen[]> {
    return this.#order.run(() => this.#carryOut(accountId))
  }

  /** Runs with a pending export. */
  async awaited(accountId: string): Promise<ReadonlySet<string>> {
    const found = new Set<string>()
    for (const kept of await this.#rules.read(accountId).catch(() => []))
      for (const run of await this.#due(accountId, kept)) found.add(run.id)
    return found
  }

  /** Does work that removes files or a folder, while no export reads or writes them. */
  quietly(work: () => Promise<void>): Promise<void> {
    return this.#order.run(work)
  }

  /** Aborts the current export. The next start does it again. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#order.idle()
  }

  async #carryOut(accountId: string): Promise<ExportRuleSeen[]> {
    let rules = await this.#rules.read(accountId)
    const note = async (kept: KeptRule): Promise<void> => {
      rules = rules.map((one) => (isOf(one.rule, kept.rule) ? kept : one))
      await this.#rules.write(accountId, rules)
    }
    for (const { rule } of rules) {
      const current = (): KeptRule => rules.find((one) => isOf(one.rule, rule))!
      for (const run of await this.#due(accountId, current())) {
        if (this.#closing.signal.aborted) return this.#seen(accountId, rules)
        const ending = await this.#export(run, current(), note).catch((error: unknown): Ending =>
          waiting(faultOf(error).message),
        )
        if (this.#closing.signal.aborted && ending.how === 'waits') return this.#seen(accountId, rules)
        await note(await this.#noted(current(), run, ending))
        await this.#tell(accountId, rules)
      }
    }
    return this.#seen(accountId, rules)
  }

  async #export(run: RunRecord, kept: KeptRule, note: (kept: KeptRule) => Promise<void>): Promise<Ending> {
    const { library, write, accountName } = this.#options
    const { rule, intended } = kept
    if (rule.onlyIfTotalsAgree && run.totalsAgree === false)
      return { how: 'doubted', words: 'Not exported. Rows don’t match the report totals.' }
    const hash = rule.onlyIfChanged ? await contentHash(library.fileOf(run)) : undefined
    if (hash !== undefined && hash === kept.hash)
      return { how: 'same', words: 'Not exported. Nothing changed since the last export.' }
    const missing = await missingFolder(rule.folder)
    if (missing !== undefined) return waiting(missing)
    // The name was free when it was saved, so the existing file is this export, finished before the app was killed.
    if (intended?.runId === run.id && (await isThere(intended.path)))
      return { how: 'written', words: 'Exported.', path: intended.path, hash }
    for (;;) {
      const path = await freePath(rule, run, accountName(run.accountId))
      await note({ ...kept, intended: { runId: run.id, path } })
      try {
        const { notes } = await write(run, rule, path, this.#closing.signal)
        return { how: 'written', words: ['Exported.', ...notes].join(' '), path, hash }
      } catch (error) {
        // Someone has saved a file with that name since.
        if (faultOf(error).code !== 'duplicate') throw error
      }
    }
  }

  async #noted(kept: KeptRule, run: RunRecord, ending: Ending): Promise<KeptRule> {
    const { hash, ...rest } = ending
    // Remember deleted runs while they can be restored, or they'd be exported again.
    const runs = await this.#options.library.ids(run.accountId)
    const { intended: _intended, ...others } = kept
    const next: KeptRule = {
      ...others,
      before: kept.before.filter((id) => runs.has(id)),
      exports: [
        ...kept.exports.filter(({ runId }) => runId !== run.id && runs.has(runId)),
        { ...rest, runId: run.id, at: this.#options.clock.now() },
      ],
      ...(hash !== undefined && { hash }),
    }
    if (ending.path === undefined) return next
    const file = await stat(ending.path).catch(() => undefined)
    const files = file ? [...kept.files, { path: ending.path, bytes: file.size, modified: file.mtimeMs }] : kept.files
    return { ...next, files: await cleared(files, kept.rule.keep) }
  }

  /** Runs that a rule must still export, oldest first. */
  async #due(accountId: string, { rule, before, exports }: KeptRule): Promise<RunRecord[]> {
    const done = new Set([...before, ...exports.filter(({ how }) => how !== 'waits').map(({ runId }) => runId)])
    return (await this.#kept(accountId, rule)).filter(({ id }) => !done.has(id)).reverse()
  }

  /** Runs of a report that have files, newest first. */
  async #kept(accountId: string, report: Pick<ExportRule, 'service' | 'reportId'>): Promise<RunRecord[]> {
    const { library } = this.#options
    const runs = (await library.runs(accountId)).filter((run) => isOf(run, report))
    const here = await Promise.all(runs.map((run) => library.hasFile(run)))
    return runs.filter((_run, at) => here[at])
  }

  /** Hides pending exports of deleted runs. */
  async #seen(accountId: string, rules: readonly KeptRule[]): Promise<ExportRuleSeen[]> {
    const runs = new Set((await this.#options.library.runs(accountId)).map(({ id }) => id))
    return rules.map(({ rule, exports }) => ({
      rule,
      exports: exports
        .filter(({ how, runId }) => how !== 'waits' || runs.has(runId))
        .map((one) => ({ ...one, words: currentText(one.words) })),
    }))
  }

  async #tell(accountId: string, rules: readonly KeptRule[]): Promise<ExportRuleSeen[]> {
    const states = await this.#seen(accountId, rules)
    this.#options.changed(accountId, states)
    return states
  }
}

const waiting = (why: string): Ending => ({
  how: 'waits',
  words: `${why} The results are saved, and Flightplan will try the export again.`,
})

const isOf = (
  one: { service: string; reportId?: string | undefined },
  other: { service: string; reportId?: string | undefined },
): boolean => one.service === other.service && one.reportId === other.reportId
