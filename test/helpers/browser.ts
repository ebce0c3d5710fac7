/** A minimal browser for signing in: opens the consent page, chooses, and follows the redirect to the app. */

export interface Choice {
  answer?: 'allow' | 'deny'
  person?: string
  /** The scopes that stay checked; defaults to all. */
  scopes?: readonly string[]
}

/** The consent page and its form fields. */
export async function openConsent(address: string): Promise<{ page: Response; html: string; form: URLSearchParams }> {
  const page = await fetch(address, { redirect: 'manual' })
  const html = await page.text()
  const form = new URLSearchParams()
  for (const [, type, name, value, checked] of html.matchAll(
    /<input type="(\w+)" name="(\w+)" value="([^"]*)"( checked)?/g,
  ))
    if (type === 'hidden' || checked) form.append(name!, value!)
  return { page, html, form }
}

/** Submits the consent page. @returns the redirect address, without opening it */
export async function decide(address: string, choice: Choice = {}): Promise<string> {
  const { page, form } = await openConsent(address)
  const refused = page.headers.get('location')
  if (refused) return refused
  form.set('answer', choice.answer ?? 'allow')
  if (choice.person) form.set('person', choice.person)
  if (choice.scopes) {
    form.delete('scope')
    for (const scope of choice.scopes) form.append('scope', scope)
  }
  const { origin } = new URL(address)
  const answer = await fetch(`${origin}/oauth/consent`, {
    method: 'POST',
    body: form,
    headers: { origin, 'sec-fetch-site': 'same-origin' },
    redirect: 'manual',
  })
  const location = answer.headers.get('location')
  if (!location) throw new Error(`The consent page answered ${answer.status}: ${await answer.text()}`)
  return location
}

/** Submits the consent page and follows the redirect to the app. @returns what the app shows */
export async function signInWith(address: string, choice?: Choice): Promise<{ status: number; html: string }> {
  const page = await fetch(await decide(address, choice), { redirect: 'manual' })
  return { status: page.status, html: await page.text() }
}
