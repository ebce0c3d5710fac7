import type { SafeStorage } from 'electron'
import type { Seal } from '../auth/vault'

type Keyring = Pick<
  SafeStorage,
  'isEncryptionAvailable' | 'getSelectedStorageBackend' | 'encryptString' | 'decryptString'
>

/**
 * The system's keyring, or undefined if there is none. On Linux, `basic_text` uses a publicly known password, so it
 * doesn't count. Call only once the app is ready.
 */
export function systemSeal(keyring: Keyring, platform: string): Seal | undefined {
  if (!keyring.isEncryptionAvailable()) return undefined
  if (platform === 'linux' && ['basic_text', 'unknown'].includes(keyring.getSelectedStorageBackend())) return undefined
  return { encrypt: (text) => keyring.encryptString(text), decrypt: (bytes) => keyring.decryptString(bytes) }
}
