// A setup file of tests with a window: an error of theirs tells what their pages showed when it was thrown.
import { afterEach } from 'vitest'
import { shownPages } from './shown-pages'

/** What says most, first. */
const parts = ['[role=dialog]', '[aria-label=Messages]', 'main']
const longest = 4_000

afterEach(async ({ task }) => {
  const error = task.result?.state === 'fail' ? task.result.errors?.[0] : undefined
  if (!error) return
  for (const page of shownPages()) {
    const shown: string[] = []
    for (const part of parts)
      for (const one of await page.locator(part).all())
        shown.push(await one.ariaSnapshot({ timeout: 5_000 }).catch((fault: Error) => fault.message))
    error.message += `\n${page.url()} showed:\n${shown.join('\n').slice(0, longest)}`
  }
})
