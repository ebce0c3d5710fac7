import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { AllPageEdits, saveTimeout, PageEdits } from '../../../src-main/app/page-edits'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const work = { name: 'Saving unsaved text', far: undefined }

/** Begins to save. @returns whether that has ended, as of when it's called */
function saving(edits: Pick<PageEdits, 'save'>): () => Promise<boolean> {
  let ended = false
  void edits.save(() => undefined).then(() => (ended = true))
  return async () => {
    await vi.advanceTimersByTimeAsync(0)
    return ended
  }
}

it('saving ends once the page says that all is saved, and only then', async () => {
  const edits = new PageEdits()
  edits.report([], false)
  const ended = saving(edits)
  edits.report([work], false)
  edits.report([], false)
  expect(await ended()).toBe(false)
  edits.report([], true)
  expect(await ended()).toBe(true)
  expect(await saving(edits)()).toBe(false)
})

it('saving ends without a page, and when the page goes', async () => {
  const edits = new PageEdits()
  expect(await saving(edits)()).toBe(true)
  edits.report([work], false)
  const ended = saving(edits)
  expect(await ended()).toBe(false)
  edits.gone()
  expect(await ended()).toBe(true)
  expect(vi.getTimerCount()).toBe(0)
})

it('a page whose database is stuck doesn’t keep the app open', async () => {
  const edits = new PageEdits()
  edits.report([work], false)
  const ended = saving(edits)
  await vi.advanceTimersByTimeAsync(saveTimeout - 1)
  expect(await ended()).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(await ended()).toBe(true)
})

it('saving waits for every page, and asks once', async () => {
  const edits = new AllPageEdits()
  edits.of(1).report([], false)
  edits.of(2).report([work], false)
  expect(edits.works).toEqual([work])
  const ended = saving(edits)
  edits.of(1).report([], true)
  expect(await ended()).toBe(false)
  edits.of(2).report([], true)
  expect(await ended()).toBe(true)
  let asked = 0
  void edits.save(() => void asked++)
  void new AllPageEdits().save(() => void asked++)
  await vi.advanceTimersByTimeAsync(saveTimeout)
  expect(asked).toBe(2)
})
