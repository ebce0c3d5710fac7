import { faultOf } from '#shared/fault'
import type { Bridge, RequestAnswers, RequestArguments } from '#shared/ipc/contract'
import type { FilesMoving, Keep, ReportFiles, ReportFileAnswers } from '#shared/reports/report-files'
import { ask } from '../bridge'
import { counted } from '../ui/counted'
import { attempt } from './attempt'
import type { Toasts } from '../ui/toasts.svelte'

type FileRequest = keyof ReportFileAnswers

/** Location and number of report files, as stored by main. */
export class ReportFilesModel {
  readonly #bridge: Bridge
  readonly #toasts: Toasts
  /** null: not read yet. */
  state = $state.raw<ReportFiles | null>(null)
  /** Progress of moving the files to another folder. */
  moving = $state.raw<FilesMoving | null>(null)
  /** Reason why the files weren't moved. */
  problem = $state('')

  constructor(bridge: Bridge, toasts: Toasts) {
    this.#bridge = bridge
    this.#toasts = toasts
  }

  /** Reads the state and follows it. @returns a function that stops */
  follow(): () => void {
    const off = [
      this.#bridge.on('report-files/moving', (moving) => (this.moving = moving)),
      this.#bridge.on('report-files/changed', (state) => {
        this.moving = null
        this.state = state
      }),
    ]
    void this.#take('report-files/state', {}, '')
    return () => off.forEach((end) => end())
  }

  /** Asks for a folder and moves the files there. */
  choose(): Promise<void> {
    return this.#move('report-files/choose')
  }
  /** Moves files back to the default folder. */
  toUsual(): Promise<void> {
    return this.#move('report-files/usual')
  }
  async stop(): Promise<void> {
    await this.#ask('report-files/stop', {}, '')
  }
  /** Checks whether the folder is available again. */
  async look(): Promise<void> {
    const state = await this.#take('report-files/look', {}, '')
    if (state?.away !== undefined) this.#toasts.show(state.away)
  }
  async open(): Promise<void> {
    await this.#ask('report-files/open', {}, '')
  }

  /** Number of files that would be deleted, or undefined if unknown. */
  surplus(keep: Keep): Promise<{ files: number; bytes: number } | undefined> {
    return this.#ask('report-files/surplus', { keep }, 'The setting is unchanged.')
  }
  /** Changes how many runs to keep. Deleted files can be restored. */
  async keep(keep: Keep): Promise<void> {
    const before = this.state?.keep
    const answer = await this.#ask('report-files/keep', { keep }, 'The setting is unchanged.')
    if (!answer) return
    this.state = answer.state
    const { gone } = answer
    if (gone.length === 0 || before === undefined) return
    this.#toasts.show(`Deleted ${counted(gone.length, 'file')} from this computer`, {
      action: {
        label: 'Undo',
        run: () =>
          void this.#take('report-files/restore', { keep: before, runs: gone }, 'Some files are still deleted.'),
      },
    })
  }

  async #move(name: 'report-files/choose' | 'report-files/usual'): Promise<void> {
    this.problem = ''
    if (this.moving) return
    try {
      const state = await ask(this.#bridge, name, {})
      if (!state) return
      this.state = state
      this.#toasts.show(`Report files are now in ${state.folder}`)
    } catch (error) {
      const { code, message } = faultOf(error)
      if (code === 'aborted') this.#toasts.show('Stopped. No files were moved.')
      else this.problem = message
    } finally {
      this.moving = null
    }
  }

  async #take<N extends 'report-files/state' | 'report-files/look' | 'report-files/restore'>(
    name: N,
    args: RequestArguments<N>,
    kept: string,
  ): Promise<ReportFiles | undefined> {
    const state = (await this.#ask(name, args, kept)) as ReportFiles | undefined
    if (state) this.state = state
    return state
  }

  /** Returns undefined after a failure, which is reported. */
  async #ask<N extends FileRequest>(
    name: N,
    args: RequestArguments<N>,
    kept: string,
  ): Promise<RequestAnswers[N] | undefined> {
    return attempt(this.#toasts, ask(this.#bridge, name, args), { kept })
  }
}
