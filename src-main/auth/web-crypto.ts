import { webcrypto } from 'node:crypto'

/** The sign-in library uses the global Web Crypto, which Node 18 doesn't expose. */
if (globalThis.crypto === undefined)
  Object.defineProperty(globalThis, 'crypto', { value: webcrypto, configurable: true, writable: true })
