// Setup file for window tests: adds the open pages' content to the error of a failed test.
import { afterEach } from 'vitest'
import { openPages } from './open-pages'

/** Most telling parts first, because the snapshot is cut off. */
const parts = ['[role=dialog]', '[aria-label=Messages]', 'main']
const maxLength = 4_000

afterEach(async ({ task }) => {
  const error = task.result?.state === 'fail' ? task.result.errors?.[0] : undefined
  if (!error) return
  for (const page of openPages()) {
    const shown: string[] = []
    for (const part of parts)
      for (const one of await page.locator(part).all())
        shown.push(await one.ariaSnapshot({ timeout: 5_000 }).catch((fault: Error) => fault.message))
    error.message += `\n${page.url()} showed:\n${shown.join('\n').slice(0, maxLength)}`
  }
})
