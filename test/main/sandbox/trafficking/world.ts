import { tableOf } from '#shared/wire/services'
import { validBody } from '../../../helpers/valid-body'
import { connect, query, type Client, type Reply } from '../client'

/** A separate sandbox with shortcuts for trafficking calls. */
export interface Traffic {
  client: Client
  ids: Record<string, string>
  list(collection: string, params?: Record<string, string | number | boolean | undefined>): Promise<Reply>
  get(collection: string, id: string): Promise<Reply>
  insert(collection: string, body: object): Promise<Reply>
  patch(collection: string, id: string, body: object): Promise<Reply>
  update(collection: string, body: object): Promise<Reply>
  post(path: string, body?: object): Promise<Reply>
  del(path: string): Promise<Reply>
  /** Inserts a valid body of the collection's schema with changes. @returns the response */
  make(schema: string, collection: string, changes?: object): Promise<Reply['body']>
}

/** Wednesday, 20 May 2026, 09:00 UTC. */
export const now = Date.UTC(2026, 4, 20, 9)

export async function traffic(version = 'v3.4', options: Parameters<typeof connect>[0] = {}): Promise<Traffic> {
  const client = await connect({ now: () => now, ...options })
  const ids: Record<string, string> = { ...client.sandbox.ids }
  const prefix = `/trafficking/${version}/userprofiles/${ids.profileId}`
  const insert = (collection: string, body: object): Promise<Reply> => client.post(`${prefix}/${collection}`, body)
  return {
    client,
    ids,
    insert,
    list: (collection, params = {}) => client.get(`${prefix}/${collection}${query(params)}`),
    get: (collection, id) => client.get(`${prefix}/${collection}/${id}`),
    patch: (collection, id, body) => client.patch(`${prefix}/${collection}?id=${id}`, body),
    update: (collection, body) => client.put(`${prefix}/${collection}`, body),
    post: (path, body) => client.post(`${prefix}/${path}`, body),
    del: (path) => client.del(`${prefix}/${path}`),
    async make(schema, collection, changes = {}) {
      const body = { ...validBody(tableOf('trafficking', version), schema, ids, { now }), ...changes }
      const reply = await insert(collection, body)
      if (reply.status !== 200) throw new Error(`${collection}: ${JSON.stringify(reply.body)}`)
      return reply.body
    },
  }
}

/** Status, field at fault, and start of the message. */
export const refusal = (reply: Reply): [number, string | undefined, boolean] => [
  reply.status,
  reply.location,
  /^\d+ : /.test(String(reply.body?.error?.message)),
]
