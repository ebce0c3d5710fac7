import type { Locator, Page } from 'playwright-core'
import { reportTypes, sectionWords, type Section } from '#shared/facts/report-types'
import { isOver, type Run } from '#shared/reports/runs'
import { asking } from './sign-in'

/** A dimension of each section to use as a column, by its search text. */
const dimensions: Readonly<Partial<Record<Section, string>>> = {
  dimensions: 'Campaign',
  breakdown: 'Campaign',
  conversionDimensions: 'Activity',
  perInteractionDimensions: 'Interaction Type',
  customTrackingVariables: 'Tracking Variable 7',
}

/** Drives the report builder's controls. */
export class ReportBuilding {
  constructor(readonly page: Page) {}

  part(name: string): Locator {
    return this.page.getByRole('region', { name, exact: true })
  }
  add(to: string): Locator {
    return this.page.getByRole('combobox', { name: `Add to ${to}`, exact: true })
  }
  offered(to: string): Locator {
    return this.page.getByRole('listbox', { name: `${to}: available`, exact: true }).getByRole('option')
  }
  chosen(what: string): Locator {
    return this.page.getByRole('list', { name: `${what}: selected`, exact: true }).getByRole('listitem')
  }
  get name(): Locator {
    return this.page.getByRole('textbox', { name: 'Name', exact: true })
  }

  async choose(combobox: Locator, choice: RegExp): Promise<void> {
    await combobox.click()
    await combobox.locator('xpath=..').getByRole('option', { name: choice }).first().click()
  }

  /** Adds a field by its search text and Enter. */
  async addByKeys(to: string, words: string): Promise<void> {
    await this.add(to).fill(words)
    await this.add(to).press('Enter')
    await this.add(to).press('Escape')
  }

  async begin(starter: RegExp): Promise<void> {
    await this.page.getByRole('button', { name: 'New report' }).click()
    await this.page
      .getByRole('menuitem', { name: /New report/ })
      .first()
      .click()
    await this.part('Templates').getByRole('button', { name: starter }).click()
    await this.name.waitFor()
  }

  async beginSearch(name: string, agencyId: string): Promise<void> {
    await this.page.getByRole('button', { name: 'New report' }).click()
    await this.page.getByRole('menuitem', { name: 'New search report' }).click()
    // The report opens once it's saved. Typing earlier would rename the previous one.
    await this.page.getByRole('heading', { name: 'New search report', exact: true }).waitFor()
    await this.name.fill(name)
    await this.page.keyboard.press('Tab')
    await this.page.getByRole('textbox', { name: 'Agency ID' }).fill(agencyId)
    await this.page.keyboard.press('Tab')
  }

  /** Adds the first fields of each section of a type, and its other required settings. */
  async build(type: string): Promise<void> {
    const fact = reportTypes[type]!
    const { page } = this
    await this.choose(page.getByRole('combobox', { name: 'Report type' }), new RegExp(`^${fact.words.name}`))
    for (const section of fact.columns) {
      await this.addByKeys(sectionWords[section], dimensions[section]!)
      await this.chosen(sectionWords[section]).first().waitFor()
    }
    const free = page.locator('[aria-selected=false]:not([aria-disabled])')
    await this.offered('Metrics').and(free).first().click()
    await this.chosen('Metrics').first().waitFor()
    if (fact.metrics.reachByFrequencyMetricNames) await this.offered('Reach by frequency').first().click()
    if (fact.metrics.overlapMetricNames) await this.offered('Overlap').first().click()
    if (fact.needsDimension) await this.choose(page.getByRole('combobox', { name: 'Overlap dimension' }), /^Campaigns/)
    if (fact.needsConfiguration) await this.choose(page.getByRole('combobox', { name: 'Tracking configuration' }), /./)
  }

  /** Runs the built report, which shows its runs, and resolves with the finished run. */
  async ran(name: string): Promise<Run> {
    const accountId = (await asking(this.page, 'account/list', {}))[0]!.id
    const runs = async (): Promise<Run[]> => (await asking(this.page, 'reports/runs', { accountId })).runs
    const before = new Set((await runs()).map(({ id }) => id))
    await this.page.getByRole('complementary', { name: 'Summary' }).getByRole('button', { name: 'Run' }).click()
    await this.page.getByRole('radio', { name: 'Runs', checked: true }).waitFor()
    for (;;) {
      const run = (await runs()).find((one) => one.name === name && !before.has(one.id))
      if (run && isOver(run.state)) return run
      await this.page.waitForTimeout(100)
    }
  }

  /** The same for a type with a tracking configuration: uses the first one with data. */
  async ranWithRows(name: string, type: string): Promise<Run> {
    let run = await this.ran(name)
    if (!reportTypes[type]!.needsConfiguration) return run
    const configuration = this.page.getByRole('combobox', { name: 'Tracking configuration' })
    for (let at = 1; run.state === 'kept' && run.rows === 0; at++) {
      await this.page.getByRole('radio', { name: 'Definition' }).check()
      await configuration.click()
      await configuration.locator('xpath=..').getByRole('option').nth(at).click()
      await this.page.getByText('Ready to run').waitFor()
      run = await this.ran(name)
    }
    return run
  }
}
