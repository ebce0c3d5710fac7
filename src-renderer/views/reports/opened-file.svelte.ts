import { faultOf } from '#shared/fault'
import type { OpenTable } from '#shared/results/questions'
import { ask } from '../../bridge'
import type { AppContext } from '../../context/context'

/** File that the user opened, shown instead of a report until they go elsewhere, which closes it. */
export class OpenedFile {
  readonly #app: AppContext
  #opened = $state.raw<OpenTable | null>(null)
  /** While the file is read: its table, and the part that was read. */
  reading = $state.raw<{ table: number; part: number | undefined } | null>(null)
  readonly table = $derived.by(() =>
    this.#opened?.table === this.#app.navigation.place.params['file'] ? this.#opened : null,
  )

  /** Its name for exports, which have an extension of their own. */
  readonly name = $derived.by(() => this.table?.title.replace(/\.(csv|tsv|txt|xlsx)$/i, ''))

  constructor(app: AppContext) {
    this.#app = app
  }

  /** Once something else is shown, which closes its table, going back doesn’t show it again. */
  forget(): void {
    this.#opened = null
  }

  async open(): Promise<void> {
    const { bridge, navigation, toasts } = this.#app
    const off = bridge.on('results/progress', ({ doing, table, done, of }) => {
      if (doing === 'reading' && table !== null) this.reading = { table, part: of > 0 ? done / of : undefined }
    })
    try {
      const chosen = await ask(bridge, 'results/choose', {})
      if (!chosen) return
      this.#opened = chosen
      navigation.go('reports', { file: chosen.table })
    } catch (error) {
      const { code, message } = faultOf(error)
      if (code !== 'aborted') toasts.show(message, { level: 'error' })
    } finally {
      off()
      this.reading = null
    }
  }

  /** Stops reading. */
  stop(): void {
    if (this.reading) void ask(this.#app.bridge, 'results/cancel', { table: this.reading.table })
  }
}
