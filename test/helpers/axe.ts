import axe, { type RunOptions } from 'axe-core'
import type { Locator, Page } from 'playwright-core'
import { atRest } from './page'

/** The part of the page to check. Without one, axe checks the whole page and the rules about pages as a whole. */
export interface Scope {
  /** An element and all below it, for example the dialog that a step opened. */
  within?: string | Locator | undefined
}

/** The rules whose answer depends on the theme. */
const contrastRules = ['color-contrast', 'link-in-text-block']

/** Rules about documents, which a component alone in an empty window isn't. */
const documentRules = ['page-has-heading-one']

/** Returns the violations that axe finds, one line each: the rule, the element, and what to fix. */
export const violations = (page: Page, scope: Scope = {}): Promise<string[]> => check(page, scope, {})

/** Returns the violations in a window that shows components and no page around them. */
export const componentViolations = (page: Page, scope: Scope = {}): Promise<string[]> =>
  check(page, scope, { rules: Object.fromEntries(documentRules.map((rule) => [rule, { enabled: false }])) })

/** Returns the violations of the rules about colors, for a second theme of what `violations` has checked already. */
export const contrast = (page: Page, scope: Scope = {}): Promise<string[]> =>
  check(page, scope, { runOnly: { type: 'rule', values: contrastRules } })

/** Returns the violations in the light theme, then those of the colors in the dark one. Leaves the page dark. */
export async function violationsInBothThemes(page: Page, scope: Scope = {}): Promise<string[]> {
  await showTheme(page, 'light')
  const light = await violations(page, scope)
  await showTheme(page, 'dark')
  return [...light, ...(await contrast(page, scope)).map((line) => `dark: ${line}`)]
}

/** Makes the system prefer a theme, and waits until the page follows. */
export async function showTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme })
  await page.locator(`html[data-theme=${theme}]`).waitFor({ state: 'attached' })
}

async function check(page: Page, { within = ':root' }: Scope, options: RunOptions): Promise<string[]> {
  const part = typeof within === 'string' ? page.locator(within) : within
  await part.waitFor()
  // A color that is still fading isn't the one that people read.
  await atRest(page)
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return part.evaluate(async (element, options) => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    const whole = element === document.documentElement
    const { violations } = await axe.run(whole ? document : element, { ...options, resultTypes: ['violations'] })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(
        ({ target, failureSummary }) =>
          `${id}: ${target.join(' ')}: ${(failureSummary ?? '').replace(/\s+/g, ' ').slice(0, 160)}`,
      ),
    )
  }, options)
}
