import type { Page } from 'playwright-core'
import type { JsonObject } from '#shared/json'
import { asking } from './sign-in'

/** Runs operations on the app’s sandbox as another client of the same user, and returns the bodies of the responses. */
export const anotherClient =
  (page: Page) =>
  async (operation: string, params: JsonObject, body?: JsonObject): Promise<JsonObject> => {
    const order = { person: 'you', operation, params, ...(body && { body }) }
    const answer = (await asking(page, 'sandbox/as', order as never)) as JsonObject
    return (answer['body'] ?? answer) as JsonObject
  }
