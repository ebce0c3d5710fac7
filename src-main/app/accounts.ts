import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { Account } from '#shared/ipc/contract'
import { saveFile } from '../exports/save-file'
import type { Client } from '../services/client'

const storedSchema = z.array(z.object({ id: z.string(), email: z.string(), label: z.string() }))

/**
 * The account of the embedded service. Its address is learnt from the service once and then remembered, so that the
 * app opens with the service stopped.
 */
export async function sandboxAccount(path: string, client: Client): Promise<Account> {
  const id = 'sandbox'
  const known = await readFile(path, 'utf8')
    .then((text) => storedSchema.parse(JSON.parse(text)).find((account) => account.id === id))
    .catch(() => undefined)
  if (known) return { ...known, kind: 'sandbox', signedIn: true }
  const email = await client.call('calendar.calendars.get', { calendarId: 'primary' }).then(
    ({ body }) => body.id,
    () => undefined,
  )
  const account = { id, email: email ?? '', label: 'Sandbox' }
  if (email) await saveFile(path, [JSON.stringify([account])])
  return { ...account, kind: 'sandbox', signedIn: true }
}
