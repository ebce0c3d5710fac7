import { people } from '../people'
import type { ConsentRequest } from './requests'
import { wordsOfScope } from './scopes'

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const text = (value: string): string => value.replace(/[&<>"']/g, (sign) => escapes[sign]!)

const style = `
:root { color-scheme: light dark; --back: #f4f4f7; --card: #fff; --line: #dcdde4; --text: #1b1c22; --soft: #565a68;
  --accent: #4250cf; --on: #fff; --mark: #eef0fd; --bad: #b3261e; --bad-back: #fdeceb }
@media (prefers-color-scheme: dark) { :root { --back: #111215; --card: #1b1c21; --line: #34363f; --text: #ececf1;
  --soft: #a9acb9; --accent: #7f8bff; --on: #101223; --mark: #24273d; --bad: #ff8f87; --bad-back: #3a1f1f } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px 16px; background: var(--back);
  color: var(--text); font: 15px/1.45 Inter, system-ui, -apple-system, 'Segoe UI', sans-serif }
main { width: 100%; max-width: 448px; padding: 32px; background: var(--card); border: 1px solid var(--line);
  border-radius: 14px; box-shadow: 0 8px 32px rgb(10 12 30 / 8%) }
.brand { display: flex; align-items: center; gap: 8px; margin: 0 0 24px; color: var(--soft); font-size: 13px }
.brand::before { content: ''; width: 20px; height: 20px; border-radius: 6px; background: var(--accent) }
h1 { margin: 0 0 8px; font-size: 21px; line-height: 1.3; letter-spacing: -0.01em; overflow-wrap: anywhere }
p { margin: 0 0 20px; color: var(--soft) }
fieldset { margin: 0 0 20px; padding: 0; border: 0; min-width: 0 }
legend { padding: 0; margin-bottom: 8px; font-weight: 600 }
.choices { border: 1px solid var(--line); border-radius: 10px; overflow: hidden }
label { display: flex; gap: 12px; align-items: flex-start; padding: 10px 12px; cursor: pointer }
label + label { border-top: 1px solid var(--line) }
label:has([type=radio]:checked) { background: var(--mark) }
label:focus-within { outline: 2px solid var(--accent); outline-offset: -2px }
input { width: 18px; height: 18px; margin: 2px 0 0; flex: none; accent-color: var(--accent) }
small { display: block; color: var(--soft); font-size: 13px }
.actions { display: flex; flex-direction: row-reverse; gap: 8px }
button { flex: 1; min-height: 42px; padding: 0 16px; border-radius: 9px; border: 1px solid var(--line); background: none;
  color: inherit; font: inherit; font-weight: 600; cursor: pointer }
button.main { border-color: var(--accent); background: var(--accent); color: var(--on) }
button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
[role=alert] { margin: 0 0 20px; padding: 10px 12px; border-radius: 10px; background: var(--bad-back); color: var(--bad) }
footer { margin-top: 20px; color: var(--soft); font-size: 13px }
`

/** A page without scripts. `nonce` allows its styles. */
function page(title: string, nonce: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${text(title)}</title>
<style nonce="${nonce}">${style}</style></head>
<body><main>
<div class="brand">Flightplan sandbox</div>
${body}
</main></body>
</html>
`
}

export interface ConsentPage {
  request: ConsentRequest
  ticket: string
  nonce: string
  /** Missing input in the submitted form. */
  complaint?: string
}

/** The consent page: the app, the person, and each requested permission. */
export function consentPage({ request, ticket, nonce, complaint }: ConsentPage): string {
  const persons = people.map(
    ({ id, name, email }) =>
      `<label><input type="radio" name="person" value="${text(id)}"${id === request.person.id ? ' checked' : ''}>` +
      `<span>${text(name)}<small>${text(email)}</small></span></label>`,
  )
  const scopes = request.scopes.map(
    (scope) =>
      `<label><input type="checkbox" name="scope" value="${text(scope)}" checked>` +
      `<span>${text(wordsOfScope(scope))}</span></label>`,
  )
  const { host } = new URL(request.redirect)
  return page(
    `Sign in: ${request.client}`,
    nonce,
    `<h1>“${text(request.client)}” asks to work with your data</h1>
<p>It runs on this computer and gets the answer at ${text(host)}. Nothing here is real: the sandbox mails nobody.</p>
${complaint === undefined ? '' : `<div role="alert">${text(complaint)}</div>`}
<form method="post" action="/oauth/consent">
<input type="hidden" name="ticket" value="${text(ticket)}">
<fieldset><legend>Sign in as</legend><div class="choices">${persons.join('')}</div></fieldset>
<fieldset><legend>It may</legend><div class="choices">${scopes.join('')}</div></fieldset>
<div class="actions"><button class="main" name="answer" value="allow">Allow</button><button name="answer" value="deny">Deny</button></div>
</form>
<footer>You can take this back at any time by signing out in the app.</footer>`,
  )
}

/** Shows a problem to the person if it can't be returned to the app. */
export function problemPage(message: string, nonce: string): string {
  return page(
    'Sign-in is not possible',
    nonce,
    `<h1>This sign-in cannot go on</h1>
<p>${text(message)}</p>
<p>Nothing was allowed. Close this window and start again from the app.</p>`,
  )
}
