import DOMPurify from 'dompurify'

interface HtmlPolicy {
  createHTML(text: string): unknown
  createScriptURL(text: string): unknown
}
let policy: HtmlPolicy | undefined

/** The window's only trusted-types policy of its own, for sanitized HTML. */
function trusted(): HtmlPolicy {
  const types = (window as { trustedTypes?: { createPolicy(name: string, rules: object): HtmlPolicy } }).trustedTypes
  policy ??= types
    ? types.createPolicy('flightplan', { createHTML: (text: string) => text, createScriptURL: () => '' })
    : { createHTML: (text) => text, createScriptURL: () => '' }
  return policy
}

/** Number of characters shown at first. Sanitizing a long text would block the window for seconds. */
export const shownAtFirst = 20_000

// A tag ends at the next bracket of either kind, so that each character is visited once.
const markup = /<\/?(a|b|i|u|s|em|strong|br|p|div|span|ul|ol|li|h[1-6]|table|blockquote|pre|code|html|hr)\b[^<>]*>/i
export const isHtml = (text: string): boolean => markup.test(text)

const address = /\bhttps?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]]/g
const escaped: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escape = (text: string): string => text.replace(/[&<>"]/g, (character) => escaped[character]!)

/** Plain text as HTML with its addresses as links. */
export function textHtml(text: string): string {
  let html = ''
  let at = 0
  for (const match of text.matchAll(address)) {
    html += `${escape(text.slice(at, match.index))}<a href="${escape(match[0])}">${escape(match[0])}</a>`
    at = match.index + match[0].length
  }
  return html + escape(text.slice(at))
}

const allowed = [
  'a',
  'b',
  'i',
  'u',
  's',
  'em',
  'strong',
  'br',
  'p',
  'div',
  'span',
  'ul',
  'ol',
  'li',
  'blockquote',
  'pre',
  'code',
  'hr',
  'h3',
  'h4',
]

/**
 * Svelte attachment that shows a description: cleaned by a small allow-list, without images, links through `open`. Of a long
 * one only the beginning, and a button for all.
 */
export function showDescription(text: string, open: (url: string) => void): (element: HTMLElement) => () => void {
  return (element) => {
    const isLong = text.length > shownAtFirst
    show(element, isLong ? text.slice(0, shownAtFirst) : text)
    if (isLong) element.append(allButton(() => show(element, text)))
    const onclick = (event: MouseEvent): void => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      if (!link) return
      event.preventDefault()
      open(link.href)
    }
    element.addEventListener('click', onclick)
    return () => element.removeEventListener('click', onclick)
  }
}

function allButton(onclick: () => void): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Show all'
  button.addEventListener('click', onclick)
  return button
}

function show(element: HTMLElement, text: string): void {
  const html = isHtml(text) ? text : textHtml(text)
  const clean = DOMPurify.sanitize(html, {
    ALLOWED_TAGS: allowed,
    ALLOWED_ATTR: ['href'],
    ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
    TRUSTED_TYPES_POLICY: trusted() as never,
    RETURN_TRUSTED_TYPE: true,
  })
  element.innerHTML = clean as unknown as string
  for (const link of element.querySelectorAll('a')) link.title = link.href
}
