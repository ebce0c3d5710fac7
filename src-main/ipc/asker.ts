import { AsyncLocalStorage } from 'node:async_hooks'

const asker = new AsyncLocalStorage<number>()

/** Answers a request of the page with this ID. */
export const answerTo = <T>(page: number, answer: () => T): T => asker.run(page, answer)

/** ID of the page whose request is being answered. 0 outside of requests. */
export const askingPage = (): number => asker.getStore() ?? 0
