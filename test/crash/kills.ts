import { rm } from 'node:fs/promises'
import { addEvent, compare, startIdle } from './events'
import { seeded } from '../flows/model/clock'
import { noCounts, type Suite } from './suite'

/**
 * Kills every process with SIGKILL while events are added and sent. The next start sends the rest, and the results are
 * compared.
 */
export const kills: Suite = async ({ seed, rounds = 100, say }) => {
  const counts = noCounts()
  const draw = seeded(seed)
  const acknowledged = new Set<string>()
  let userData: string | undefined
  for (let round = 0; round <= rounds; round++) {
    const app = await startIdle(userData)
    if (!app) {
      counts.stuck++
      say(`round ${round}: the queue doesn’t empty; the profile stays in ${userData}`)
      return counts
    }
    userData = app.userData
    for (const fault of await compare(app.page, acknowledged, counts)) say(`round ${round}: ${fault}`)
    if (round === rounds) {
      await app.close()
      break
    }
    const moment = Math.round(draw() * 3_000)
    let over = false
    const killed = new Promise<void>((done, fail) =>
      setTimeout(() => {
        over = true
        app.kill().then(done, fail)
      }, moment),
    )
    let added = 0
    try {
      for (; !over; added++) {
        const title = `Round ${round} edit ${added}`
        await addEvent(app.page, title)
        acknowledged.add(title)
      }
    } catch (error) {
      // The window closes during an edit.
      if (!over) throw error
    }
    await killed
    counts.rounds++
    say(`round ${round}: killed after ${moment} ms, ${added} acknowledged`)
  }
  counts.edits = acknowledged.size
  const faulty = counts.lost + counts.doubled > 0
  if (userData && !faulty) await rm(userData, { recursive: true, force: true })
  return counts
}
