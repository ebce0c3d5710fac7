import { tintOf } from './colors'

/**
 * One class per calendar colour in a constructed style sheet, so that thousands of items carry a class instead of
 * inline styles, and a change of theme touches one sheet. Sets `--fill`, `--ink` and `--edge`.
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
  const light = tintOf(hex, 'light')
  const dark = tintOf(hex, 'dark')
  sheet.insertRule(
    `.${name}{--fill:${light.fill};--ink:${light.ink};--edge:${light.edge};--check-ink:#fff}`,
    sheet.cssRules.length,
  )
  sheet.insertRule(
    `:root[data-theme='dark'] .${name}{--fill:${dark.fill};--ink:${dark.ink};--edge:${dark.edge};--check-ink:#17181c}`,
    sheet.cssRules.length,
  )
  return name
}
