import { isAnsweredAsText } from '#shared/ipc/as-text'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { type Account } from '#shared/ipc/account-questions'
import { type RequestAnswers, type RequestArguments, type RequestName } from '#shared/ipc/contract'
import type { Fault } from '#shared/fault'

/** Sends a request to main through the bridge. @throws Error with the fault's code and message */
export async function asking<N extends RequestName>(
  page: Page,
  name: N,
  args: RequestArguments<N>,
): Promise<RequestAnswers[N]> {
  const answer = await page.evaluate(
    ([name, args]) => window.flightplan.ask(name as never, args as never) as Promise<unknown>,
    [name, args] as const,
  )
  const { ok, value, fault } = answer as { ok: boolean; value: unknown; fault: Fault }
  if (!ok) throw new Error(`${fault.code}: ${fault.message}`)
  return (isAnsweredAsText(name) ? JSON.parse(String(value)) : value) as RequestAnswers[N]
}

/** Addresses the app wanted to open in the browser (`--open-links-to`). */
export const openedLinks = async (file: string): Promise<string[]> =>
  (await readFile(file, 'utf8').catch(() => '')).split('\n').filter(Boolean)

/** Waits for an address opened after the given ones. */
export async function nextLink(file: string, before: number): Promise<string> {
  for (let tries = 0; tries < 1200; tries++) {
    const links = await openedLinks(file)
    if (links.length > before) return links[before]!
    await new Promise((done) => setTimeout(done, 50))
  }
  throw new Error('No link was opened')
}

/** Starts a sign-in in the app and passes its address to `browse`. */
export async function signInThrough(
  page: Page,
  file: string,
  accountId: string,
  browse: (address: string) => Promise<unknown>,
): Promise<Account> {
  const before = (await openedLinks(file)).length
  const [account] = await Promise.all([
    asking(page, 'account/sign-in', { accountId }),
    nextLink(file, before).then(browse),
  ])
  return account
}
