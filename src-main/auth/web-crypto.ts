import { webcrypto } from 'node:crypto'

/** The sign-in library works with the global Web Crypto, which Node 18 has but does not put there. */
if (globalThis.crypto === undefined)
  Object.defineProperty(globalThis, 'crypto', { value: webcrypto, configurable: true, writable: true })
