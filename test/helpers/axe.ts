import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { RunOptions } from 'axe-core'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { atRest } from './page'
import { isDrawn, outer } from './ring'

/** Minified: each page reads and compiles it again. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The part of the page to check. By default, axe checks the whole page and the page-level rules. */
export interface Scope {
  /** An element and its descendants, such as a dialog that a step opened. */
  within?: string | Locator | undefined
}

/** Rules that depend on the theme. */
const contrastRules = ['color-contrast', 'link-in-text-block']

/** Rules about documents, which don't apply to a lone component in an empty window. */
const documentRules = ['page-has-heading-one']

const without = (rules: readonly string[]): RunOptions['rules'] =>
  Object.fromEntries(rules.map((rule) => [rule, { enabled: false }]))

/** Colors take most of the time, and `colors.test.ts` checks all pairs, so the usual ring draws one test of four for them. */
const colorsOf = (): RunOptions => (isDrawn(nameOfTest(), 4) ? {} : { rules: without(contrastRules) })

const nameOfTest = (): string => `${expect.getState().testPath?.split('/').at(-1)} ${expect.getState().currentTestName}`

/** Returns the violations that axe finds, one line each: the rule, the element, and the fix. */
export const violations = (page: Page, scope: Scope = {}): Promise<string[]> => check(page, scope, colorsOf())

/** The same with the colors of every run. */
export const allViolations = (page: Page, scope: Scope = {}): Promise<string[]> => check(page, scope, {})

/** Returns the violations in a window that shows components without a page. */
export const componentViolations = (page: Page, scope: Scope = {}): Promise<string[]> =>
  check(page, scope, { rules: { ...colorsOf().rules, ...without(documentRules) } })

/** Returns violations of the color rules, for a second theme of what `violations` already checked. */
export const contrast = (page: Page, scope: Scope = {}): Promise<string[]> =>
  check(page, scope, { runOnly: { type: 'rule', values: contrastRules } })

/**
 * Returns the violations by theme. The usual ring checks one theme, drawn by the test's name. The outer ring also checks the
 * other theme's colors.
 */
export async function violationsByTheme(page: Page, scope: Scope = {}): Promise<string[]> {
  const [first, second] = isDrawn(`light: ${nameOfTest()}`, 2)
    ? (['light', 'dark'] as const)
    : (['dark', 'light'] as const)
  await showTheme(page, first)
  const found = (await violations(page, scope)).map((line) => `${first}: ${line}`)
  if (!outer) return found
  await showTheme(page, second)
  return [...found, ...(await contrast(page, scope)).map((line) => `${second}: ${line}`)]
}

/** Sets the system theme and waits until the page follows. */
export async function showTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme })
  await page.locator(`html[data-theme=${theme}]`).waitFor({ state: 'attached' })
}

async function check(page: Page, { within = ':root' }: Scope, options: RunOptions): Promise<string[]> {
  const part = typeof within === 'string' ? page.locator(within) : within
  await part.waitFor()
  // A color that's still fading isn't the final one.
  await atRest(page)
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  return part.evaluate(async (element, options) => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    // Rows that differ only in texts, names, and numbers have the same violations, so only the first of each kind is checked.
    const kindOf = (row: Element): string =>
      row.outerHTML
        .replace(/>[^<]+/g, '>text')
        .replace(/ (id|for|href|title|aria-(?:label|labelledby|describedby|description|controls|owns))="[^"]+"/g, ' $1')
        .replace(/[\d.]+/g, '0')
    const repeated = [...element.querySelectorAll('[role=grid], [role=treegrid]')].flatMap((grid) => {
      const kinds = new Set<string>()
      return [...grid.querySelectorAll('[role=row]')].filter((row) => {
        const kind = kindOf(row)
        return kinds.has(kind) || !kinds.add(kind)
      })
    })
    const { violations } = await axe.run(
      { include: [element], exclude: repeated },
      // Only the rules for media, which the app has none of, and an experimental one, which is off, need what it preloads: all
      // style sheets, parsed again.
      { ...options, resultTypes: ['violations'], preload: false },
    )
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(
        ({ target, failureSummary }) =>
          `${id}: ${target.join(' ')}: ${(failureSummary ?? '').replace(/\s+/g, ' ').slice(0, 160)}`,
      ),
    )
  }, options)
}
