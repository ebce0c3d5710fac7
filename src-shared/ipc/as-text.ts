import type { RequestName } from './contract'

/**
 * Answers that cross as text. What crosses the wall between preload and page is copied value by value: a page of 2,500
 * records held the window for half a second, its text and JSON.parse for twenty milliseconds.
 */
export const answeredAsText = ['sync/pull'] as const satisfies readonly RequestName[]
export type AnsweredAsText = (typeof answeredAsText)[number]
export const isAnsweredAsText = (name: RequestName): name is AnsweredAsText =>
  (answeredAsText as readonly RequestName[]).includes(name)
