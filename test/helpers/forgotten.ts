import type { Fetch } from '../../src-main/http/send'

/** A `fetch` for a service that no longer keeps these deleted records. */
export function withoutRecords(ids: ReadonlySet<string>): Fetch {
  const errors = [{ domain: 'global', reason: 'notFound' }]
  const isForgotten = (url: string): boolean => ids.has(new URL(url).pathname.split('/').at(-1)!)
  return (input, init) =>
    isForgotten(String(input))
      ? Promise.resolve(Response.json({ error: { code: 404, message: 'Not found', errors } }, { status: 404 }))
      : fetch(input, init)
}
