import { rm } from 'node:fs/promises'
import { systemClock } from '#shared/time/clock'
import { addEvent, compare, startIdle } from './events'
import { noCounts, type Suite } from './suite'

/** Maximum growth of a process during the last two thirds, relative to their start. */
const growthAllowed = 0.5

/** Slope of a line through equidistant values, in their unit per step. */
function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  let above = 0
  let below = 0
  values.forEach((value, at) => {
    above += (at - middle) * (value - mean)
    below += (at - middle) ** 2
  })
  return below === 0 ? 0 : above / below
}

/** Adds events and switches views for this many minutes, and records each process's memory every minute. */
export const soak: Suite = async ({ minutes = 30, say }) => {
  const counts = noCounts()
  const app = (await startIdle(undefined))!
  const { page } = app
  const acknowledged = new Set<string>()
  /** Megabytes by process. */
  const sizes = new Map<string, number[]>()
  const began = systemClock.elapsed()
  for (let minute = 1; minute <= minutes; minute++) {
    while (systemClock.elapsed() - began < minute * 60_000) {
      // A day with hundreds of events isn't typical.
      if (acknowledged.size < minute * 5) {
        const title = `Soak ${acknowledged.size}`
        await addEvent(page, title)
        acknowledged.add(title)
      }
      for (const view of ['Tasks', 'Campaigns', 'Reports', 'Sync', 'Calendar'])
        await page
          .getByRole('navigation')
          .getByRole('button', { name: new RegExp(`^${view}`) })
          .first()
          .click()
      counts.rounds++
    }
    const now = await app.electron.evaluate(({ app: main }) =>
      main.getAppMetrics().map(({ type, pid, memory }) => ({ name: `${type} ${pid}`, size: memory.workingSetSize })),
    )
    for (const { name, size } of now) sizes.set(name, [...(sizes.get(name) ?? []), Math.round(size / 1024)])
    say(`minute ${minute}: ${now.map(({ name, size }) => `${name} ${Math.round(size / 1024)} MB`).join(', ')}`)
  }
  for (const [name, values] of sizes) {
    const later = values.slice(Math.floor(values.length / 3))
    const each = slope(later)
    const grows = each * (later.length - 1) > later[0]! * growthAllowed
    if (grows) counts.growing++
    say(`${name}: ${each.toFixed(1)} MB more each minute after the first third${grows ? ', too much' : ''}`)
  }
  await app.close()
  const last = await startIdle(app.userData)
  counts.edits = acknowledged.size
  if (!last) return { ...counts, stuck: 1 }
  for (const fault of await compare(last.page, acknowledged, counts)) say(fault)
  await last.close()
  await rm(app.userData, { recursive: true, force: true })
  return counts
}
