import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { faultOf } from '#shared/fault'
import { operation, type OperationId, type Operations, type Versions } from '#shared/wire/services'
import { validate } from '#shared/wire/validate'
import type { UploadFile } from '../../src-main/services/upload'
import type { Sandbox } from '../../src-main/sandbox/start'

export interface Extra<O extends OperationId> {
  body?: Operations[O]['request']
  ifMatch?: string
  file?: UploadFile
}

/**
 * Something that calls operations: our client, or a third-party one. Bodies and responses use neutral naming on this side.
 * Throws a FaultError on rejection.
 */
export interface Caller {
  versions: Versions
  call<O extends OperationId>(
    id: O,
    params: Operations[O]['params'],
    extra?: Extra<O>,
  ): Promise<{ status: number; body: Operations[O]['response'] }>
  download<O extends OperationId>(
    id: O,
    params: Operations[O]['params'],
  ): Promise<{ contentType: string; bytes: Buffer }>
}

/** One service's cases: every operation called once, with its effect verified. */
export type Cases<Service extends string> = {
  [O in Extract<OperationId, `${Service}.${string}`>]: () => Promise<unknown>
}

/** What cases need: a sandbox, a caller, and a notification receiver. */
export class World {
  readonly notified: string[] = []
  #number = 0
  #receiver: Server | undefined
  #address = ''

  constructor(
    readonly sandbox: Sandbox,
    readonly caller: Caller,
    /** The sandbox's clock in epoch milliseconds. */
    readonly now: () => number,
  ) {}

  async open(): Promise<void> {
    const receiver = createServer((request, response) => {
      const { 'x-goog-channel-id': id, 'x-goog-resource-state': state } = request.headers
      this.notified.push(`${String(id)} ${String(state)}`)
      response.writeHead(204).end()
    })
    await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
    this.#receiver = receiver
    this.#address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  }

  close(): void {
    this.#receiver?.closeAllConnections()
    this.#receiver?.close()
  }

  get ids(): Readonly<Record<string, string>> {
    return this.sandbox.ids
  }

  /** A name unique to a case. */
  readonly unique = (): string => `op${String(++this.#number).padStart(8, '0')}`

  readonly channel = (): { id: string; type: 'web_hook'; address: string } => ({
    id: this.unique(),
    type: 'web_hook',
    address: this.#address,
  })

  /** Returns whether a notification came within half a minute. */
  readonly wasNotified = async (channelId: string, state: string): Promise<boolean> => {
    for (let tries = 0; tries < 1500 && !this.notified.includes(`${channelId} ${state}`); tries++)
      await new Promise((done) => setTimeout(done, 20))
    return this.notified.includes(`${channelId} ${state}`)
  }

  /** Returns whether a call finds nothing. */
  readonly gone = (attempt: Promise<unknown>): Promise<boolean> =>
    attempt.then(
      () => false,
      (error: unknown) => ['notFound', 'gone'].includes(faultOf(error).code),
    )

  /** Calls an operation and checks its status and response against the called version's row and schema. */
  readonly call = async <O extends OperationId>(
    id: O,
    params: Operations[O]['params'],
    extra: Extra<O> = {},
  ): Promise<{ status: number; body: Operations[O]['response'] }> => {
    const answer = await this.caller.call(id, params, extra)
    const { table, method } = operation(id, this.caller.versions)
    if (method.response === undefined) {
      expect(answer.status, `${id} has no body`).toBe(204)
    } else {
      expect(answer.status, id).toBe(200)
      const violations = validate(table, method.response, answer.body, { operation: id, kind: 'response' })
      expect(violations, `the answer of ${id}`).toEqual([])
    }
    return answer
  }
}
