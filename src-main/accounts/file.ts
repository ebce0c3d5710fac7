import { safeParse } from '#shared/safe-parse'
import { readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { keptDownloads } from '#shared/ipc/account-questions'
import { serviceNames, versionsOf, type ServiceName } from '#shared/wire/services'
import { privateFolder, savePrivate } from '../disk/private'
import { checkedBaseUrl } from '../http/address'

/** Stored part of an account. Its secrets are in the vault. */
const recordSchema = z.object({
  id: z.string().regex(/^[a-z0-9-]{1,40}$/),
  email: z.string(),
  label: z.string(),
  vocabulary: z.enum(['neutral', 'public']).default('neutral'),
  /** Skips unusable addresses and unknown services. */
  services: z.record(z.string(), z.string()).default({}).transform(usableServices),
  versions: z
    .object({ trafficking: z.string().optional() })
    .default({})
    .transform(({ trafficking }) =>
      trafficking && versionsOf('trafficking').includes(trafficking) ? { trafficking } : {},
    ),
  issuer: z.string().optional(),
  clientId: z.string().optional(),
  scopeBase: z.string().optional(),
  /** The service revoked the sign-in, and the user hasn't signed in or out since. */
  expired: z.boolean().default(false),
  /** True if the account has, or had, a replica on this computer, so that an empty database means a lost one. */
  opened: z.boolean().default(true),
  /** Unreadable downloads must be chosen again. */
  downloads: keptDownloads.catch([]),
})

export type AccountRecord = z.output<typeof recordSchema>

function usableServices(services: Record<string, string>): Partial<Record<ServiceName, string>> {
  const usable: Partial<Record<ServiceName, string>> = {}
  for (const name of serviceNames) {
    try {
      if (services[name] !== undefined) usable[name] = checkedBaseUrl(services[name]).href.replace(/\/$/, '')
    } catch {
      continue
    }
  }
  return usable
}

/**
 * Reads the stored accounts. Skips an unreadable record, after copying the file to another name, so that nothing is lost.
 * `whole` is then false.
 */
export async function readAccounts(
  path: string,
  now: () => number,
): Promise<{ records: AccountRecord[]; whole: boolean }> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return { records: [], whole: true }
  const list = parsedList(text)
  const records = (list ?? []).flatMap((item) => {
    const record = safeParse(recordSchema, item)
    return record.success ? [record.data] : []
  })
  const whole = list?.length === records.length
  if (!whole) await rename(path, `${path}.damaged-${now()}`).catch(() => undefined)
  return { records: records.filter(({ id }, index) => records.findIndex((other) => other.id === id) === index), whole }
}

/** True if the account with sample data is stored. */
export async function hasSample(folder: string): Promise<boolean> {
  const text = await readFile(join(folder, 'accounts.json'), 'utf8').catch(() => '')
  return (parsedList(text) ?? []).some((item) => safeParse(recordSchema, item).data?.id === 'sandbox')
}

function parsedList(text: string): unknown[] | undefined {
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list : undefined
  } catch {
    return undefined
  }
}

/** @throws FaultError `storage` */
export async function writeAccounts(path: string, records: readonly AccountRecord[]): Promise<void> {
  await privateFolder(dirname(path))
  await savePrivate(path, [`${JSON.stringify(records, null, 1)}\n`])
}
