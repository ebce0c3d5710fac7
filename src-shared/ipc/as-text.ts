/**
 * Requests (see `contract.ts`) whose answers are sent as JSON text. Structured clones between preload and page are slow: a page of 2,500 records blocked the
 * window for half a second, its text and JSON.parse for 20 ms.
 */
export const answeredAsText = ['sync/pull'] as const
export type AnsweredAsText = (typeof answeredAsText)[number]
export const isAnsweredAsText = (name: string): name is AnsweredAsText =>
  (answeredAsText as readonly string[]).includes(name)
