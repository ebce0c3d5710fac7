import { STATUS_CODES } from 'node:http'
import { MultipartReader } from './multipart'
import { isLongGet, methodOf, withQuery } from './overrides'
import { badRequest } from './problems'

/** A call inside a batch. */
export interface BatchedCall {
  method: string
  /** Path and query, or a whole address. */
  target: string
  /** By lower-case name. */
  headers: Record<string, string>
  body: string
  /** `Content-ID` of the part. */
  id: string | undefined
}

/**
 * Parses a batch of calls (`multipart/mixed` of `application/http`). Lines may end with LF alone.
 * @throws Problem 400
 */
export function batchedCalls(contentType: string, text: string): BatchedCall[] {
  const boundary = /^multipart\/mixed\s*;.*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType)
  if (!boundary) throw badRequest('A batch must be multipart/mixed with a boundary.')
  const reader = new MultipartReader((boundary[1] ?? boundary[2])!)
  const parts: { headers: ReadonlyMap<string, string>; bytes: Buffer[] }[] = []
  for (const event of reader.push(Buffer.from(text))) {
    if (event.kind === 'part') parts.push({ headers: event.headers, bytes: [] })
    else parts.at(-1)!.bytes.push(event.bytes)
  }
  if (!reader.ended || parts.length === 0) throw badRequest('The batch is incomplete.')
  return parts.map(({ headers, bytes }) => callOf(Buffer.concat(bytes).toString(), headers.get('content-id')))
}

function callOf(text: string, id: string | undefined): BatchedCall {
  const [head = '', ...rest] = text.trimStart().split(/\r?\n\r?\n/)
  const [first = '', ...lines] = head.split(/\r?\n/)
  const [, method, target] = /^([A-Z]+) (\S+)(?: HTTP\/1\.[01])?\s*$/.exec(first) ?? []
  if (!method || !target) throw badRequest('A part of the batch doesn’t begin with a request line.')
  const headers = Object.fromEntries(
    lines.flatMap((line) => {
      const [, name, value] = /^([\w-]+):\s*(.*?)\s*$/.exec(line) ?? []
      return name ? [[name.toLowerCase(), value!]] : []
    }),
  )
  const body = rest.join('\r\n\r\n').trimEnd()
  const call = { method: methodOf({ method, headers }) ?? method, target, headers, body, id }
  return isLongGet({ method, headers }) ? { ...call, target: withQuery(target, body), body: '' } : call
}

/** The answer to a batch: one part for each call, in the same order. */
export async function batchAnswer(answers: readonly (readonly [BatchedCall, Response])[]): Promise<Response> {
  const boundary = `batch_${crypto.randomUUID()}`
  const parts = await Promise.all(answers.map(([call, answer]) => partOf(call, answer)))
  const body = [...parts.map((part) => `--${boundary}\r\n${part}\r\n`), `--${boundary}--\r\n`].join('')
  return new Response(body, { headers: { 'content-type': `multipart/mixed; boundary=${boundary}` } })
}

async function partOf({ id }: BatchedCall, answer: Response): Promise<string> {
  const body = await answer.text()
  const headers = [...answer.headers].map(([name, value]) => `${name}: ${value}`)
  return [
    'Content-Type: application/http',
    ...(id === undefined ? [] : [`Content-ID: ${id.replace(/^<?/, (mark) => `${mark}response-`)}`]),
    '',
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}`,
    ...headers,
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')
}
