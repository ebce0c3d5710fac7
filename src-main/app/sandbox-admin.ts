import { FaultError } from '#shared/fault'
import { isJsonObject, type JsonObject } from '#shared/json'
import { checkedBaseUrl } from '../http/address'
import { faultOfAnswer } from '../http/faults'
import { send, type Fetch } from '../http/send'

/** The sandbox's admin path: simulated problems, a second user, a new sign-in. */
export class SandboxAdmin {
  readonly #fetch: Fetch
  readonly #address: () => { baseUrl: string; token: string }
  readonly #now: () => number

  constructor(fetch: Fetch, address: () => { baseUrl: string; token: string }, now: () => number) {
    this.#fetch = fetch
    this.#address = address
    this.#now = now
  }

  /** @throws FaultError */
  async order(method: string, path: string, body?: JsonObject): Promise<JsonObject> {
    const { baseUrl, token } = this.#address()
    refuseOthers(baseUrl)
    const answer = await send(this.#fetch, {
      method,
      url: `${baseUrl}/sandbox/v1${path}`,
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      body: body ? JSON.stringify(body) : undefined,
    })
    if (answer.status < 200 || answer.status > 299) throw new FaultError(faultOfAnswer(path, answer, this.#now()))
    const parsed: unknown = answer.text === '' ? {} : JSON.parse(answer.text)
    return isJsonObject(parsed) ? parsed : {}
  }
}

/**
 * Prevents sending the admin token to an address that no local service may have. An empty address means that the service
 * hasn't started.
 */
function refuseOthers(baseUrl: string): void {
  if (baseUrl === '') return
  try {
    checkedBaseUrl(baseUrl)
  } catch (error) {
    throw new FaultError({ code: 'invalid', message: (error as RangeError).message })
  }
}
