import { AsyncLocalStorage } from 'node:async_hooks'

const current = new AsyncLocalStorage<number>()

/** Answers a request of the page with this ID. */
export const answerTo = <T>(page: number, answer: () => T): T => current.run(page, answer)

/** ID of the page that sent the current request. 0 outside of requests. */
export const requestingPage = (): number => current.getStore() ?? 0
