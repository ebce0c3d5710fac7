import { FaultError } from '#shared/fault'
import type { SheetFacts } from '#shared/ipc/sheet-questions'
import { ChildRequests, type ChildProcess } from '../ipc/child-process'

/** Requests to the process that reads a spreadsheet. */
export interface SheetContract {
  open: { args: { path: string }; value: Omit<SheetFacts, 'id'> }
  rows: { args: { from: number; count: number }; value: string[][] }
}

const unchanged = 'Nothing was imported.'
const fault = (code: 'invalid' | 'aborted', what: string): FaultError =>
  new FaultError({ code, message: `${what} ${unchanged}` })

/** Reads spreadsheets in a process of their own, which keeps the rows of one until it's closed. */
export class SheetReader {
  readonly #start: () => ChildProcess
  readonly #limit: number
  #open: { id: number; requests: ChildRequests<SheetContract> } | undefined
  #lastId = 0

  /** @param limit maximum time to read a file, in milliseconds */
  constructor(start: () => ChildProcess, limit = 120_000) {
    this.#start = start
    this.#limit = limit
  }

  /** Closes the spreadsheet that was open. @throws FaultError `invalid` | `storage` | `aborted` */
  async open(path: string): Promise<SheetFacts> {
    this.close()
    const id = ++this.#lastId
    const requests = new ChildRequests<SheetContract>(this.#start(), () =>
      fault('invalid', 'The file is too large or can’t be read.'),
    )
    this.#open = { id, requests }
    const tookTooLong = `Reading the file took longer than ${Math.round(this.#limit / 1_000)} seconds.`
    const timer = setTimeout(() => requests.end(fault('invalid', tookTooLong)), this.#limit)
    try {
      return { id, ...(await requests.ask('open', { path })) }
    } catch (error) {
      requests.kill()
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  /** @throws FaultError `aborted` if another one was opened since, `invalid` if its process ended */
  async rows(id: number, from: number, count: number): Promise<string[][]> {
    if (this.#open?.id !== id) throw fault('aborted', 'The file was closed.')
    return this.#open.requests.ask('rows', { from, count })
  }

  close(): void {
    this.#open?.requests.end(fault('aborted', 'Canceled.'))
    this.#open = undefined
  }
}
