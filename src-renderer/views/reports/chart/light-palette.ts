import { maxSeries } from './drawing'
import type { Palette } from './picture'

/** Colors of the light theme, whichever theme is active, because documents have white pages. */
export function lightPalette(): Palette {
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
  const roots = rules.filter(
    (rule): rule is CSSStyleRule => rule instanceof CSSStyleRule && rule.selectorText === ':root',
  )
  const token = (name: string): string =>
    roots
      .map(({ style }) => style.getPropertyValue(`--${name}`).trim())
      .filter((value) => value !== '')
      .at(-1) ?? '#000000'
  return {
    surface: token('surface'),
    text: token('text'),
    textSoft: token('text-soft'),
    textFaint: token('text-faint'),
    line: token('line'),
    axis: token('line-control'),
    rest: token('line-control'),
    accent: token('accent'),
    warning: token('warning'),
    series: Array.from({ length: maxSeries }, (_, at) => token(`chart-${at + 1}`)),
  }
}
