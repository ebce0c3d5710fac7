import { createHmac } from 'node:crypto'

/** Opaque page and sync tokens: signed JSON, so that foreign and altered tokens are detected. */
export class Tokens {
  readonly #secret: string
  constructor(secret: string) {
    this.#secret = secret
  }

  seal(payload: unknown): string {
    const text = Buffer.from(JSON.stringify(payload)).toString('base64url')
    return `${this.#sign(text)}${text}`
  }

  /** The payload, or undefined for a token that isn't from this service. */
  open<T>(token: string): T | undefined {
    const text = token.slice(signatureLength)
    if (text === '' || this.#sign(text) !== token.slice(0, signatureLength)) return undefined
    return JSON.parse(Buffer.from(text, 'base64url').toString()) as T
  }

  /** A short digest of the parameters that a token is bound to. */
  digest(value: unknown): string {
    return this.#sign(JSON.stringify(value))
  }

  #sign(text: string): string {
    return createHmac('sha256', this.#secret).update(text).digest('base64url').slice(0, signatureLength)
  }
}

const signatureLength = 12
