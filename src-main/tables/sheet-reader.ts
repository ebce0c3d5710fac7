import { FaultError } from '#shared/fault'
import type { SheetFacts } from '#shared/ipc/sheet-questions'
import { ChildRequests, type ChildProcess } from '../ipc/child-process'

/** Requests to the process that reads a spreadsheet. */
export interface SheetContract {
  open: { args: { path: string; sheet?: string }; value: Omit<SheetFacts, 'id'> }
  rows: { args: { from: number; count: number }; value: string[][] }
}

const unchanged = 'Nothing was imported.'
const fault = (code: 'invalid' | 'aborted', what: string): FaultError =>
  new FaultError({ code, message: `${what} ${unchanged}` })

interface Opened {
  id: number
  path: string
  requests: ChildRequests<SheetContract>
  onclose: () => void
}

/** Reads spreadsheets in a process of their own, which keeps the rows of one until it's closed. */
export class SheetReader {
  readonly #start: () => ChildProcess
  readonly #limit: number
  #open: Opened | undefined
  #lastId = 0

  /** @param limit maximum time to read a file, in milliseconds */
  constructor(start: () => ChildProcess, limit = 120_000) {
    this.#start = start
    this.#limit = limit
  }

  /**
   * Closes the spreadsheet that was open.
   * @param onclose called once the file isn't needed anymore
   * @throws FaultError `invalid` | `storage` | `aborted`
   */
  async open(path: string, onclose: () => void = () => undefined): Promise<SheetFacts> {
    this.close()
    const requests = new ChildRequests<SheetContract>(this.#start(), () =>
      fault('invalid', 'The file is too large or can’t be read.'),
    )
    const open = (this.#open = { id: ++this.#lastId, path, requests, onclose })
    try {
      return { id: open.id, ...(await this.#read(open)) }
    } catch (error) {
      this.close(open.id)
      requests.kill()
      throw error
    }
  }

  /** Reads another sheet of the workbook that's open, which gets another ID. @throws FaultError as `open`, with the sheet unchanged */
  async choose(id: number, sheet: string): Promise<SheetFacts> {
    const open = this.#opened(id)
    const facts = await this.#read(open, sheet)
    if (this.#open !== open || open.id !== id) throw fault('aborted', 'The file was closed.')
    return { id: (open.id = ++this.#lastId), ...facts }
  }

  async #read({ path, requests }: Opened, sheet?: string): Promise<Omit<SheetFacts, 'id'>> {
    const tookTooLong = `Reading the file took longer than ${Math.round(this.#limit / 1_000)} seconds.`
    const timer = setTimeout(() => requests.end(fault('invalid', tookTooLong)), this.#limit)
    try {
      return await requests.ask('open', { path, ...(sheet !== undefined && { sheet }) })
    } finally {
      clearTimeout(timer)
    }
  }

  /** @throws FaultError `aborted` if another one was opened since, `invalid` if its process ended */
  async rows(id: number, from: number, count: number): Promise<string[][]> {
    return this.#opened(id).requests.ask('rows', { from, count })
  }

  #opened(id: number): Opened {
    if (this.#open?.id !== id) throw fault('aborted', 'The file was closed.')
    return this.#open
  }

  /** @param id closes only this one */
  close(id?: number): void {
    const open = this.#open
    if (!open || (id !== undefined && open.id !== id)) return
    this.#open = undefined
    open.requests.end(fault('aborted', 'Canceled.'))
    open.onclose()
  }
}
