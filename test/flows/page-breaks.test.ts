import { expect, it } from 'vitest'
import { seeded, VirtualClock } from './model/clock'
import { Device } from './model/device'
import { ModelService } from './model/service'

const day = { start: { date: '2026-03-04' }, end: { date: '2026-03-05' } }
const idAt = (number: number): string => `event${String(number).padStart(3, '0')}`

/** A service with a list of several pages, and a computer that has not read it yet. */
function newDevice(): { clock: VirtualClock; service: ModelService; device: Device; insert: (number: number) => void } {
  const clock = new VirtualClock()
  const service = new ModelService(() => clock.time)
  const insert = (number: number): void =>
    void service.callAs(
      'x',
      'calendar.events.insert',
      { calendarId: 'me' },
      { id: idAt(number), summary: `${number}`, ...day },
    )
  for (let number = 0; number < 40; number += 2) insert(number)
  return { clock, service, device: new Device('one', service, clock, seeded(1)), insert }
}

const isList = ({ id, params }: { id: string; params: object }): boolean =>
  id === 'calendar.events.list' && (params as { calendarId?: string }).calendarId === 'me'
async function expectEqual(device: Device, service: ModelService): Promise<void> {
  const here = (await device.stored('events', 'me')).map(({ id, base }) => [id, base?.['summary']])
  const there = service.living('events me').map(({ id, summary }) => [id, summary])
  expect(here.sort()).toEqual(there.sort())
}

it.each(['before', 'after', 'crash'] as const)(
  'a list that breaks off at each page in turn ends up whole (%s)',
  async (how) => {
    for (let broken = 1; ; broken++) {
      const { clock, service, device } = newDevice()
      let asked = 0
      let done = false
      service.trouble = (call, moment) => {
        if (!isList(call)) return undefined
        if (moment === 'before') asked++
        if (done || asked !== broken || moment !== (how === 'crash' ? 'after' : how)) return undefined
        done = true
        if (how === 'crash') device.crash()
        return 'answerLost'
      }
      await device.start()
      await clock.pass(60_000)
      service.trouble = () => undefined
      if (done && how === 'crash') await device.start()
      await clock.pass(60_000)
      await expectEqual(device, service)
      if (!done) return
      expect(broken).toBeLessThan(50)
    }
  },
)

it('a list that changes between each two pages in turn ends up whole', async () => {
  for (let changed = 1; ; changed++) {
    const { clock, service, device, insert } = newDevice()
    let asked = 0
    service.meanwhile = (call) => {
      if (!isList(call) || ++asked !== changed) return
      // One in front, one behind, one removed, one renamed.
      insert(1)
      insert(39)
      service.callAs('x', 'calendar.events.delete', { calendarId: 'me', eventId: idAt(2) })
      service.callAs('x', 'calendar.events.patch', { calendarId: 'me', eventId: idAt(0) }, { summary: 'renamed' })
    }
    await device.start()
    await clock.pass(60_000)
    device.replica.syncNow()
    await clock.pass(60_000)
    await expectEqual(device, service)
    if (asked < changed) return
    expect(changed).toBeLessThan(50)
  }
})
