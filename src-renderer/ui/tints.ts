import { tintOf, type Tint } from './colors'

/**
 * One class per calendar color in a constructed style sheet, so that thousands of items carry a class instead of inline
 * styles, and a theme change updates a single sheet. Sets `--fill`, `--strong-fill`, `--ink`, `--soft-ink`, and
 * `--edge`.
 */
const known = new Map<string, string>()
let sheet: CSSStyleSheet | undefined

export function tintClass(hex: string): string {
  let name = known.get(hex)
  if (name) return name
  name = `tint-${known.size}`
  known.set(hex, name)
  if (!sheet) {
    sheet = new CSSStyleSheet()
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  }
  const rule = (selector: string, tint: Tint, check: string): void => {
    const { fill, strongFill, ink, softInk, edge } = tint
    const colors = `--fill:${fill};--strong-fill:${strongFill};--ink:${ink};--soft-ink:${softInk};--edge:${edge}`
    sheet?.insertRule(`${selector}{${colors};--check-ink:${check}}`, sheet.cssRules.length)
  }
  rule(`.${name}`, tintOf(hex, 'light'), '#fff')
  rule(`:root[data-theme='dark'] .${name}`, tintOf(hex, 'dark'), '#17181c')
  return name
}
