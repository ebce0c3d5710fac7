import { readFile, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { SerialQueue } from '#shared/serial-queue'
import { privateFolder, savePrivate } from '../disk/private'
import type { Tokens } from './grants'

/** Encryption by the system's keyring. */
export interface Seal {
  encrypt(text: string): Buffer
  /** @throws Error if another keyring encrypted the value */
  decrypt(bytes: Buffer): string
}

/** The secrets of one account. */
export interface Secrets {
  clientSecret?: string
  tokens?: Tokens
}

/** Stores secrets. `system`: sealed, on this computer. `memory`: until the app quits, never on disk. */
export interface Vault {
  readonly kind: 'system' | 'memory'
  read(accountId: string): Promise<Secrets>
  /** Replaces the secrets. Empty secrets remove them. */
  write(accountId: string, secrets: Secrets): Promise<void>
  /** Deletes secrets of all other accounts. */
  sweep(accountIds: readonly string[]): Promise<void>
}

const secretsSchema = z.object({
  clientSecret: z.string().optional(),
  tokens: z
    .object({
      access: z.string(),
      refresh: z.string().optional(),
      expires: z.number().optional(),
      scope: z.string().optional(),
      clientId: z.string(),
      audience: z.array(z.string()),
      endpoints: z.object({ issuer: z.string(), token: z.string(), revocation: z.string().optional() }),
    })
    .optional(),
})

const suffix = '.sealed'
const isEmpty = (secrets: Secrets): boolean => secrets.clientSecret === undefined && secrets.tokens === undefined

/**
 * With a seal, stores one encrypted file per account in the folder. Without one, keeps secrets in memory and never
 * touches the disk.
 */
export function openVault(folder: string, seal: Seal | undefined): Vault {
  return seal ? new SealedVault(folder, seal) : new MemoryVault()
}

class MemoryVault implements Vault {
  readonly kind = 'memory'
  readonly #secrets = new Map<string, Secrets>()

  read(accountId: string): Promise<Secrets> {
    return Promise.resolve(this.#secrets.get(accountId) ?? {})
  }

  write(accountId: string, secrets: Secrets): Promise<void> {
    if (isEmpty(secrets)) this.#secrets.delete(accountId)
    else this.#secrets.set(accountId, secrets)
    return Promise.resolve()
  }

  sweep(accountIds: readonly string[]): Promise<void> {
    for (const id of this.#secrets.keys()) if (!accountIds.includes(id)) this.#secrets.delete(id)
    return Promise.resolve()
  }
}

class SealedVault implements Vault {
  readonly kind = 'system'
  readonly #folder: string
  readonly #seal: Seal
  readonly #writing = new SerialQueue()

  constructor(folder: string, seal: Seal) {
    this.#folder = folder
    this.#seal = seal
  }

  /** Empty if the file is missing, damaged, or encrypted by another keyring. Then the user signs in again. */
  async read(accountId: string): Promise<Secrets> {
    try {
      return secretsSchema.parse(JSON.parse(this.#seal.decrypt(await readFile(this.#path(accountId)))))
    } catch {
      return {}
    }
  }

  write(accountId: string, secrets: Secrets): Promise<void> {
    return this.#writing.run(() => this.#write(this.#path(accountId), secrets))
  }

  async sweep(accountIds: readonly string[]): Promise<void> {
    const names = await readdir(this.#folder).catch(() => [])
    const kept = new Set(accountIds.map((id) => id + suffix))
    for (const name of names)
      if (/\.(sealed|part)$/.test(name) && !kept.has(name)) await rm(join(this.#folder, name), { force: true })
  }

  #path(accountId: string): string {
    return join(this.#folder, accountId + suffix)
  }

  async #write(path: string, secrets: Secrets): Promise<void> {
    if (isEmpty(secrets)) return rm(path, { force: true })
    await privateFolder(this.#folder)
    await savePrivate(path, [this.#seal.encrypt(JSON.stringify(secrets))])
  }
}
