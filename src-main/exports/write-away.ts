import { FaultError } from '#shared/fault'
import type { TableHead, TablePage } from '#shared/reports/export-table'
import { requestingPage } from '../ipc/requesting-page'
import { ChildRequests, type ChildProcess } from '../ipc/child-process'
import type { Exported, ExportOptions } from './export-file'

export type WriteOptions = Omit<ExportOptions, 'signal' | 'onrows'>
export interface WriteTo {
  path: string
  options: WriteOptions
}
export interface WriteProgress {
  done: number
  of: number
}
/** Contract of `write-process`. `write` answers when the file is complete, after all `rows` and `finish`. */
export interface WriteContract {
  write: { args: TableHead; value: Exported; progress: WriteProgress }
  rows: { args: TablePage; value: null }
  finish: { args: WriteTo; value: null }
}

interface Writing extends WriteTo {
  requests: ChildRequests<WriteContract>
  /** ID of the page that asked for it. */
  page: number
  control: AbortController
  ended: Promise<Exported>
}

/** Exports tables of the window, each collected and written in its own process. */
export class TableWriter {
  readonly #start: () => ChildProcess
  readonly #onprogress: (progress: { id: number } & WriteProgress) => void
  readonly #under = new Map<number, Writing>()
  #id = 0

  constructor(start: () => ChildProcess, onprogress: (progress: { id: number } & WriteProgress) => void) {
    this.#start = start
    this.#onprogress = onprogress
  }

  /**
   * Starts an export whose rows follow. Calls `done` when it ends, whatever the outcome.
   * @returns the number of the export
   */
  begin(path: string, head: TableHead, options: WriteOptions, done = (): void => undefined): number {
    const id = ++this.#id
    const requests = new ChildRequests<WriteContract>(this.#start(), died)
    const control = new AbortController()
    const onprogress = (progress: WriteProgress): void => this.#onprogress({ id, ...progress })
    const ended = requests.ask('write', head, { signal: control.signal, onprogress }).finally(() => {
      this.#under.delete(id)
      requests.kill()
      done()
    })
    // The process may exit before anyone awaits the result.
    ended.catch(() => undefined)
    this.#under.set(id, { page: requestingPage(), requests, control, path, options, ended })
    return id
  }

  /** @throws FaultError `gone` if the export was stopped or its process died */
  rows(id: number, page: TablePage): void {
    this.#found(id)
      .requests.ask('rows', page)
      .catch(() => undefined)
  }

  /**
   * Writes the rows received so far.
   * @throws FaultError like `exportTable`
   */
  async end(id: number): Promise<Exported> {
    const { requests, path, options, ended } = this.#found(id)
    requests.ask('finish', { path, options }).catch(() => undefined)
    return ended
  }

  /** Stops an export: undoes a running write, or drops collected rows. */
  async stop(id: number): Promise<void> {
    const writing = this.#under.get(id)
    if (!writing) return
    writing.control.abort()
    // A busy process may never answer.
    const timer = setTimeout(() => writing.requests.end(died()), 2_000)
    await writing.ended.catch(() => undefined)
    clearTimeout(timer)
  }

  /** Stops all exports, or those of a page that's gone. */
  async close(page?: number): Promise<void> {
    const ids = [...this.#under].flatMap(([id, one]) => (page === undefined || one.page === page ? id : []))
    await Promise.all(ids.map((id) => this.stop(id)))
  }

  #found(id: number): Writing {
    const found = this.#under.get(id)
    if (found) return found
    throw new FaultError({
      code: 'gone',
      message: 'The export stopped before the file was complete. Nothing was saved.',
    })
  }
}

const died = (): FaultError =>
  new FaultError({
    code: 'invalid',
    message: 'The export ran out of memory or was stopped. Nothing was saved.',
  })
