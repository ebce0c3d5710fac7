import { Readable } from 'node:stream'
import { calendar as calendarClient } from '@googleapis/calendar'
import { tasks as tasksClient } from '@googleapis/tasks'
import { google } from 'googleapis'
import { FaultError } from '#shared/fault'
import { isJsonObject, type Json, type JsonObject } from '#shared/json'
import { operation, type OperationId, type Versions } from '#shared/wire/services'
import { translateBody, word } from '#shared/wire/vocabulary'
import { systemClock } from '#shared/time/clock'
import { faultOfAnswer } from '../../src-main/http/faults'
import type { Sandbox } from '../../src-main/sandbox/start'
import type { Caller } from './world'

type ForeignMethod = (params: object, options: object) => Promise<{ status: number; data: unknown; headers: object }>

/**
 * Unmodified registry packages as a caller: they get only the root address and the token. Names are translated on this side,
 * so that the packages create the requests themselves.
 */
export function foreignClients(sandbox: Sandbox, versions: Versions): Caller & { offers(id: OperationId): boolean } {
  const rootUrl = `${sandbox.baseUrl}/`
  const packages: Record<string, unknown> = {
    calendar: calendarClient({ version: 'v3', rootUrl }),
    tasks: tasksClient({ version: 'v1', rootUrl }),
    discovery: google.discovery({ version: 'v1', rootUrl }),
    trafficking: google.dfareporting({ version: (versions.trafficking ?? 'v3.4') as 'v3.4', rootUrl }),
    search: google.doubleclicksearch({ version: 'v2', rootUrl }),
  }

  /** `trafficking.reports.files.get` is `get` of `files` of `reports` in the trafficking package. */
  function methodOf(id: OperationId): ForeignMethod | undefined {
    const [service, ...names] = id.split('.')
    let at = packages[service!]
    let owner: unknown
    for (const name of names) {
      owner = at
      at = (at as Record<string, unknown> | undefined)?.[word(name, 'public')]
    }
    return typeof at === 'function' ? (at.bind(owner) as ForeignMethod) : undefined
  }

  const spoken = (params: object): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(params).map(([name, value]) => [
        word(name, 'public'),
        typeof value === 'string' && /^[A-Z_]+$/.test(value)
          ? word(value, 'public')
          : Array.isArray(value)
            ? value.map((item: unknown) => (typeof item === 'string' ? word(item, 'public') : item))
            : value,
      ]),
    )

  async function send(id: OperationId, params: object, options: object): ReturnType<ForeignMethod> {
    const method = methodOf(id)
    if (!method) throw new Error(`No package has ${id}`)
    const headers = { authorization: `Bearer ${sandbox.token}`, ...(options as { headers?: object }).headers }
    try {
      return await method(params, { rootUrl, ...options, headers, retry: false })
    } catch (error) {
      const { response } = error as { response?: { status: number; data: unknown } }
      if (!response) throw error
      const text = typeof response.data === 'string' ? response.data : JSON.stringify(response.data)
      throw new FaultError(
        faultOfAnswer(id, { status: response.status, headers: new Headers(), text }, systemClock.now()),
      )
    }
  }

  return {
    versions,
    offers: (id) => methodOf(id) !== undefined,
    async call(id, params, extra = {}) {
      const { table, method } = operation(id, versions)
      const body = method.request
        ? (translateBody(table, method.request, (extra.body ?? {}) as Json, 'public') as JsonObject)
        : undefined
      const file = extra.file && {
        mimeType: extra.file.contentType,
        body: Readable.from([Buffer.from(extra.file.bytes as Uint8Array)]),
      }
      const { status, data } = await send(
        id,
        { ...spoken(params), ...(body ? { requestBody: body } : {}), ...(file ? { media: file } : {}) },
        extra.ifMatch ? { headers: { 'If-Match': extra.ifMatch } } : {},
      )
      const answer =
        method.response && isJsonObject(data) ? translateBody(table, method.response, data, 'neutral') : undefined
      return { status, body: answer as never }
    },
    async download(id, params) {
      const { data, headers } = await send(id, { ...spoken(params), alt: 'media' }, { responseType: 'arraybuffer' })
      const contentType = new Headers(headers as Record<string, string>).get('content-type') ?? ''
      return { contentType, bytes: Buffer.from(data as ArrayBuffer) }
    },
  }
}
