const style = `
:root { color-scheme: light dark; --back: #f4f4f7; --text: #1b1c22; --soft: #565a68; --good: #1a6e3c; --bad: #b3261e }
@media (prefers-color-scheme: dark) { :root { --back: #111215; --text: #ececf1; --soft: #a9acb9; --good: #6fce95; --bad: #ff8f87 } }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px; box-sizing: border-box;
  background: var(--back); color: var(--text); font: 15px/1.5 Inter, system-ui, -apple-system, 'Segoe UI', sans-serif }
main { max-width: 380px; text-align: center }
h1 { margin: 16px 0 8px; font-size: 21px; line-height: 1.3; letter-spacing: -0.01em }
p { margin: 0; color: var(--soft) }
.sign { font-size: 34px; line-height: 1 } .good { color: var(--good) } .bad { color: var(--bad) }
`

/** The browser's page after sign-in. It has no scripts and loads nothing. */
export function resultPage(good: boolean, title: string, text: string, nonce: string): string {
  const plain = (value: string): string => value.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${plain(title)} · Flightplan</title><style nonce="${nonce}">${style}</style></head>
<body><main role="status"><div class="sign ${good ? 'good' : 'bad'}" aria-hidden="true">${good ? '✓' : '✕'}</div>
<h1>${plain(title)}</h1><p>${plain(text)}</p></main></body></html>
`
}
