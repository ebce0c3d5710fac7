import { safeParse } from '#shared/safe-parse'
import { FaultError, faultOf } from '#shared/fault'
import { isAnsweredAsText } from '#shared/ipc/as-text'
import {
  requests,
  type Answer,
  type CheckedArguments,
  type RequestAnswers,
  type RequestName,
} from '#shared/ipc/contract'
import { refusal, type Answering } from './answering'

/** A handler of a request that's answered with null may return nothing. */
type Returned<Value> = [Value] extends [null] ? Value | void : Value

export type Handlers = {
  [N in RequestName]: (args: CheckedArguments<N>) => Returned<RequestAnswers[N]> | Promise<Returned<RequestAnswers[N]>>
}

/** The handlers whose names start with one of these prefixes. */
export type HandlersOf<Prefix extends string> = Pick<Handlers, Extract<RequestName, `${Prefix}/${string}`>>

/**
 * Answers requests with these handlers, after checking the name and the arguments. Rejects requests without a handler.
 */
export const answering =
  (handlers: Partial<Handlers>): Answering =>
  async (name, args) =>
    Object.hasOwn(requests, name) && Object.hasOwn(handlers, name)
      ? sent(name as RequestName, await answer(handlers, name as RequestName, args))
      : refusal('Unknown request.')

/** Parses the arguments and runs a handler. Exceptions become faults. */
export async function answer<N extends RequestName>(
  handlers: Partial<Handlers>,
  name: N,
  args: unknown,
): Promise<Answer<RequestAnswers[N]>> {
  const parsed = safeParse(requests[name], args)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return refusal(`${name}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'is invalid'}`)
  }
  try {
    const value = (await handlers[name]!(parsed.data as never)) ?? null
    return { ok: true, value: value as RequestAnswers[N] }
  } catch (error) {
    if (!(error instanceof FaultError)) console.error(`${name} failed:`, traceOf(error))
    return { ok: false, fault: faultOf(error) }
  }
}

/** Answer in the form that is sent to the page. */
const sent = (name: RequestName, given: Answer<unknown>): Answer<unknown> =>
  given.ok && isAnsweredAsText(name) ? { ok: true, value: JSON.stringify(given.value) } : given

/** The stack without the message, because messages may contain titles and addresses that don't belong in logs. */
function traceOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return [error.name, ...frames.slice(0, 6)].join('\n')
}
