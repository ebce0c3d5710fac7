import type { Answer } from '#shared/ipc/contract'

/** Answers a request by its name. Errors are part of the answer. */
export type Answering = (name: string, args: unknown) => Promise<Answer<unknown>>

export const refusal = (message: string): { ok: false; fault: { code: 'invalid'; message: string } } => ({
  ok: false,
  fault: { code: 'invalid', message },
})
