import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addEvent, compare, runService, startIdle } from './events'
import { noCounts, type Suite } from './suite'

const exchanged = { database: ['IndexedDB'], journal: ['journal'], both: ['IndexedDB', 'journal'] }

/**
 * Replaces database, journal, and both with a copy in which an edit is pending that the service got since. The latest unsent
 * edit isn't in the copies: it must arrive unless both are replaced.
 */
export const copies: Suite = async ({ rounds = 3, say }) => {
  const counts = noCounts()
  for (const [kind, folders] of Object.entries(exchanged))
    for (let round = 0; round < rounds; round++) {
      const title = (what: string): string => `${kind} ${round} ${what}`
      const first = (await startIdle(undefined))!
      const { userData } = first
      await runService(first.page, false)
      await addEvent(first.page, title('in the copy'))
      await first.close()
      const copy = await mkdtemp(join(tmpdir(), 'flightplan-crash-copy-'))
      for (const folder of folders) await cp(join(userData, folder), join(copy, folder), { recursive: true })

      const second = await startIdle(userData)
      if (!second) {
        counts.stuck++
        continue
      }
      await addEvent(second.page, title('sent since'))
      await second.close()
      const third = await startIdle(userData)
      if (!third) {
        counts.stuck++
        continue
      }
      await runService(third.page, false)
      await addEvent(third.page, title('never sent'))
      await third.close()
      for (const folder of folders) {
        await rm(join(userData, folder), { recursive: true })
        await cp(join(copy, folder), join(userData, folder), { recursive: true })
      }

      const last = await startIdle(userData)
      counts.rounds++
      if (!last) {
        counts.stuck++
        say(`${kind} ${round}: the queue doesn’t empty; the profile stays in ${userData}`)
        continue
      }
      const expected = new Set([title('in the copy'), title('sent since')])
      if (kind !== 'both') expected.add(title('never sent'))
      counts.edits += expected.size
      const faults = await compare(last.page, expected, counts)
      say(`${kind} ${round}: ${faults.join(', ') || 'all there, once'}`)
      await last.close()
      await rm(copy, { recursive: true })
      if (faults.length === 0) await rm(userData, { recursive: true, force: true })
    }
  return counts
}
