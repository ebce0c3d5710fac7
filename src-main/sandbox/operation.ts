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

/** Class of a part, which serves as its key. */
export type PartOf<Part> = abstract new (...given: never[]) => Part

/** Dependencies of every operation. */
export interface Service {
  readonly store: Store
  readonly tokens: Tokens
  /** A part that runs independently of calls: channels, conferences, uploaded files. @throws Error if there is none */
  of<Part extends object>(kind: PartOf<Part>): Part
  readonly random: () => number
  /** Vocabulary of clients. Everything behind the routes uses the neutral one. */
  readonly vocabulary: Vocabulary
  /** Base address for links in answers. */
  baseUrl(): string
}

/** An uploaded file. Deleted after the response, unless the handler keeps it. */
export interface Upload {
  /** Its name in the folder of uploads. */
  name: string
  bytes: number
  contentType: string
  /** The first bytes, for detecting the type. */
  start: Buffer
  keep(): void
}

/** Bytes instead of JSON: the response of a download with `alt=media`. */
export class Media {
  constructor(
    readonly contentType: string,
    readonly bytes: Uint8Array,
    readonly fileName?: string,
    /** Quoted, as in the header. */
    readonly etag?: string,
  ) {}
}

/** A call with its checked parameters and body, and its caller. */
export interface Call<Id extends OperationId = OperationId> {
  readonly service: Service
  readonly operation: Id
  /** Table of the called version, and the operation's row in it. */
  readonly table: ServiceTable
  readonly method: Method
  readonly upload?: Upload
  readonly person: Person
  readonly params: Operations[Id]['params']
  readonly body: Operations[Id]['request']
  readonly ifMatch?: string
}

/**
 * Returns the response body, or undefined for 204. A thrown problem rolls back all writes. A returned one keeps them.
 */
export type Handler<Id extends OperationId> = (
  call: Call<Id>,
) => Operations[Id]['response'] | Media | Problem | (Operations[Id]['response'] extends undefined ? void : never)

/** A function for every operation. A missing one is an error, both when compiling and at start. */
export type Handlers = { [Id in OperationId]: Handler<Id> }
export type HandlersOf<Prefix extends string> = { [Id in Extract<OperationId, `${Prefix}.${string}`>]: Handler<Id> }

const idAlphabet = '0123456789abcdefghijklmnopqrstuv'

/** An ID of base32hex characters. */
export function newId(random: () => number, length = 26): string {
  let id = ''
  for (let index = 0; index < length; index++) id += idAlphabet[Math.floor(random() * 32)]
  return id
}
