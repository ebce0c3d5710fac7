import type { Operations, OperationId } from '#shared/wire/services'
import type { Channels } from './channels'
import type { Conferences } from './calendar/conferences'
import type { Store } from './store'
import type { Tokens } from './tokens'

export interface Person {
  id: string
  email: string
  name: string
}

/** What every operation works with. */
export interface Service {
  readonly store: Store
  readonly tokens: Tokens
  readonly channels: Channels
  readonly conferences: Conferences
  readonly random: () => number
  /** Base address for links in answers. */
  baseUrl(): string
}

/** One call: checked parameters and body, and who calls. */
export interface Call<Id extends OperationId = OperationId> {
  readonly service: Service
  readonly operation: Id
  readonly person: Person
  readonly params: Operations[Id]['params']
  readonly body: Operations[Id]['request']
  readonly ifMatch?: string
}

/** The answer's body; undefined is 204 without one. */
export type Handler<Id extends OperationId> = (call: Call<Id>) => Operations[Id]['response']

/** A function for every operation of the tables: a missing one does not compile, and does not start. */
export type Handlers = { [Id in OperationId]: Handler<Id> }
export type HandlersOf<Prefix extends string> = { [Id in Extract<OperationId, `${Prefix}.${string}`>]: Handler<Id> }

const idAlphabet = '0123456789abcdefghijklmnopqrstuv'

/** An id of base32hex characters. */
export function newId(random: () => number, length = 26): string {
  let id = ''
  for (let index = 0; index < length; index++) id += idAlphabet[Math.floor(random() * 32)]
  return id
}
