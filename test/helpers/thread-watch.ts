import type { Page } from 'playwright-core'

/** How busy a page was. */
export interface Busy {
  /** Milliseconds of the longest task on the page's thread; 0 if none took 50. */
  longest: number
  /** Number of tasks that took 50 milliseconds or more. */
  long: number
  /** Longest time between two frames, in milliseconds. */
  pause: number
}

interface Watched {
  tasks: number[]
  pause: number
  observer: PerformanceObserver
}

/** Starts recording long tasks on the page's thread. */
export async function watchThread(page: Page): Promise<void> {
  await page.evaluate(() => {
    const tasks: number[] = []
    const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)))
    observer.observe({ entryTypes: ['longtask'] })
    const watched: Watched = { tasks, pause: 0, observer }
    Object.assign(globalThis, { watched })
    let before = Infinity
    const frame = (now: number): void => {
      watched.pause = Math.max(watched.pause, now - before)
      before = now
      requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  })
}

/** Returns what was recorded since the last call. */
export async function busySince(page: Page): Promise<Busy> {
  return page.evaluate(async () => {
    // Tasks that end with this frame are reported after it.
    await new Promise<void>((done) => requestAnimationFrame(() => setTimeout(done)))
    const { watched } = globalThis as unknown as { watched: Watched }
    watched.tasks.push(...watched.observer.takeRecords().map(({ duration }) => duration))
    const tasks = watched.tasks.splice(0)
    const pause = Math.round(watched.pause)
    watched.pause = 0
    return { longest: Math.round(Math.max(0, ...tasks)), long: tasks.length, pause }
  })
}
