import { describe, expect, it } from 'vitest'
import { ZoneWatch } from '../../../src-main/app/zone-watch'

describe('the time zone of the computer', () => {
  it('is announced once after it changed, on a tick or when the computer wakes up', () => {
    let zone = 'Europe/Berlin'
    let tick = (): void => undefined
    let stopped = false
    const said: string[] = []
    const every = (run: () => void) => {
      tick = run
      return () => (stopped = true)
    }
    const watch = new ZoneWatch({ changed: (now) => said.push(now), zone: () => zone, every })
    tick()
    expect(said).toEqual([])
    zone = 'America/New_York'
    tick()
    watch.check()
    expect(said).toEqual(['America/New_York'])
    zone = 'Europe/Berlin'
    watch.check()
    expect(said).toEqual(['America/New_York', 'Europe/Berlin'])
    watch.close()
    expect(stopped).toBe(true)
  })
})
