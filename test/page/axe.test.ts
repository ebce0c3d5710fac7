import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { allViolations, contrast, violations } from '../helpers/axe'
import { sharedBrowser, type BrowserWindow } from '../helpers/shared-browser'

let opened: BrowserWindow
let page: Page

beforeAll(async () => {
  opened = await (await sharedBrowser()).open('faults', { width: 900, height: 700 })
  ;({ page } = opened)
})
afterAll(() => opened?.close())
beforeEach(() =>
  page.setContent(`<!doctype html><html><title>Faults</title><main>
    <button id="behind"></button>
    <div role="dialog"><p id="pale" style="color: #bbb; background: #fff">Too pale</p><input id="nameless" /></div>
  </main></html>`),
)

/** Rules and elements of the lines, without the advice. */
const found = (lines: string[]): string[] => lines.map((line) => line.split(': ').slice(0, 2).join(' ')).sort()

it('axe finds the violations of a dialog, including its root, and none behind it', async () => {
  expect(found(await allViolations(page, { within: '[role=dialog]' }))).toEqual([
    'aria-dialog-name div',
    'color-contrast #pale',
    'label #nameless',
  ])
})

it('axe finds violations of a whole page, and page-level ones', async () => {
  expect(found(await allViolations(page))).toEqual([
    'aria-dialog-name div',
    'button-name #behind',
    'color-contrast #pale',
    'html-has-lang html',
    'label #nameless',
  ])
})

it('axe checks only colors in a second theme', async () => {
  expect(found(await contrast(page))).toEqual(['color-contrast #pale'])
})

it('axe checks rows once that differ only in texts and numbers, and each other row', async () => {
  const row = (id: string, state = '') =>
    `<div role="row" id="${id}" ${state} style="top: ${id.length}px"><div role="gridcell"><button></button></div></div>`
  await page.setContent(`<!doctype html><html lang="en"><title>Rows</title><main><h1>Rows</h1>
    <div role="grid" aria-label="Rows">${row('a')}${row('bb')}${row('ccc', 'aria-selected="true"')}</div></main></html>`)
  expect(found(await violations(page))).toEqual([
    'button-name #a > div[role="gridcell"] > button',
    'button-name #ccc > div[role="gridcell"] > button',
  ])
})
