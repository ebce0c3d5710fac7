import { expect, it } from 'vitest'
import { linesFound } from '../helpers/lint-rule'

const readOnce = [
  'expect(await page.getByRole("row").count()).toBe(1)',
  'expect(await field.inputValue(), "its value").toBe("")',
  'expect(await row.isChecked()).not.toBe(true)',
  'expect(app.shell.notes.at(-1)).toBeUndefined()',
]
const polled = [
  'await expect.poll(() => row.isChecked()).toBe(true)',
  'await vi.waitFor(async () => expect(await row.isChecked()).toBe(true))',
  'await until(async () => expect(await field.inputValue()).toBe(""))',
  'expect(await readFile(path)).toBe("")',
]

it('what a page shows is polled', async () => {
  const files = ['test/page/focus.test.ts', 'test/e2e/accounts.test.ts', 'test/helpers/page.ts']
  const found = await linesFound('poll(shown)', files, [...readOnce, ...polled].join('\n'))
  for (const file of files) expect(found.get(file), file).toEqual([1, 2, 3, 4])
})
