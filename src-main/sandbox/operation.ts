import type { Operations, OperationId } from '#shared/wire/services'
import type { Method, ServiceTable } from '#shared/wire/table'
import type { Vocabulary } from '#shared/wire/vocabulary'
import type { Problem } from './problems'
import type { Store } from './store'
import type { Tokens } from './tokens'

export interface Person {
  id: string
  email: string
  name: string
}

/** The class of a part, by which it is asked for. */
export type PartOf<Part> = abstract new (...given: never[]) => Part

/** Dependencies of every operation. */
export interface Service {
  readonly store: Store
  readonly tokens: Tokens
  /** A part that runs next to the calls: channels, conferences, uploaded files. @throws Error if there is none */
  of<Part extends object>(kind: PartOf<Part>): Part
  readonly random: () => number
  /** The words that clients speak; everything behind the routes is neutral. */
  readonly vocabulary: Vocabulary
  /** Base address for links in answers. */
  baseUrl(): string
}

/** A file that came with a call. It goes when the call is answered unless the handler keeps it. */
export interface Upload {
  /** Its name in the folder of uploads. */
  name: string
  bytes: number
  contentType: string
  /** Its first bytes, as many as are looked into. */
  start: Buffer
  keep(): void
}

/** Bytes instead of JSON: the response of a download with `alt=media`. */
export class Media {
  constructor(
    readonly contentType: string,
    readonly bytes: Uint8Array,
    readonly fileName?: string,
    /** With double quotes, as the header has it. */
    readonly etag?: string,
  ) {}
}

/** One call: checked parameters and body, and who calls. */
export interface Call<Id extends OperationId = OperationId> {
  readonly service: Service
  readonly operation: Id
  /** The table of the version that is called, and the operation's row in it. */
  readonly table: ServiceTable
  readonly method: Method
  readonly upload?: Upload
  readonly person: Person
  readonly params: Operations[Id]['params']
  readonly body: Operations[Id]['request']
  readonly ifMatch?: string
}

/** The answer's body; undefined is 204 without one. A thrown problem undoes everything, an answered one nothing. */
export type Handler<Id extends OperationId> = (
  call: Call<Id>,
) => Operations[Id]['response'] | Media | Problem | (Operations[Id]['response'] extends undefined ? void : never)

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
