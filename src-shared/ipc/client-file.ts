import { safeParse } from '../safe-parse'
import { z } from 'zod'
import { FaultError } from '#shared/fault'

/** The app as a sign-in service knows it. */
export interface OAuthClient {
  clientId: string
  clientSecret?: string
}

/** The file that the console offers to download. */
const fileSchema = z.object({
  installed: z.object({
    client_id: z.string().trim().min(1).max(500),
    client_secret: z.string().trim().max(500).optional(),
  }),
})

/**
 * Reads the downloaded JSON file of an OAuth client for desktop apps.
 * @throws FaultError `invalid` with what to do instead
 */
export function readClientFile(text: string): OAuthClient {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    throw invalid('This isn’t the JSON file of an OAuth client. Download it again in the console.')
  }
  if (typeof content === 'object' && content !== null && 'web' in content)
    throw invalid('This client is for web apps. Create one of the type “Desktop app”.')
  const read = safeParse(fileSchema, content)
  if (!read.success) throw invalid('This file has no client ID for desktop apps. Download it again in the console.')
  const { client_id: clientId, client_secret: clientSecret } = read.data.installed
  return { clientId, ...(clientSecret ? { clientSecret } : {}) }
}

const invalid = (message: string): FaultError => new FaultError({ code: 'invalid', message })
