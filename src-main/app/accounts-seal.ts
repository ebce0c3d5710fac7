import { safeStorage } from 'electron'
import type { Seal } from '../auth/vault'

/**
 * The system's keyring, or undefined where there is none. On Linux `basic_text` means a password that everybody
 * knows, which is no keyring. Ask only once the app is ready.
 */
export function systemSeal(): Seal | undefined {
  if (!safeStorage.isEncryptionAvailable()) return undefined
  if (process.platform === 'linux' && ['basic_text', 'unknown'].includes(safeStorage.getSelectedStorageBackend()))
    return undefined
  return { encrypt: (text) => safeStorage.encryptString(text), decrypt: (bytes) => safeStorage.decryptString(bytes) }
}
