import { mkdtemp, writeFile, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { eventReminders } from '#shared/domain/reminders'
import { defaultNotifications, mutedCalendar, type Reminder, type Ringing } from '#shared/ipc/reminder-questions'
import { wallOfInstant, wallOfText } from '#shared/time/zones'
import { ReminderFiles } from '../../../src-main/reminders/files'
import { ReminderScheduler, type Schedule } from '../../../src-main/reminders/scheduler'
import { noteOf, summaryOf } from '../../../src-main/reminders/reminder-words'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const began = Date.parse('2026-06-10T06:00:00Z')
const zone = 'Europe/Berlin'

/** A computer with a wall clock that people move, timers that only follow elapsed time, and what it showed. */
class FakeComputer {
  now = began
  settings = { ...defaultNotifications }
  readonly rang: { key: string; late: number; quiet: boolean }[] = []
  readonly summaries: string[][] = []
  readonly kept: string[] = []
  #timers: { at: number; run: () => void }[] = []
  #elapsed = 0
  readonly scheduler: ReminderScheduler

  constructor(stored?: ReadonlyMap<string, Schedule>, now = began) {
    this.now = now
    this.scheduler = new ReminderScheduler(
      { now: () => this.now },
      {
        settings: () => this.settings,
        minuteOfDay: (now) => Math.floor((wallOfInstant(now, zone) % day) / minute),
        ring: ({ reminder }, quiet) => this.rang.push({ key: reminder.key, late: this.now - reminder.at, quiet }),
        summarize: (missed) => this.summaries.push(keysOf(missed)),
        changed: () => undefined,
        keep: (accountId) => this.kept.push(accountId),
        wait: (ms, run) => {
          const timer = { at: this.#elapsed + ms, run }
          this.#timers.push(timer)
          return () => (this.#timers = this.#timers.filter((one) => one !== timer))
        },
      },
      stored,
    )
  }

  get keys(): string[] {
    return this.rang.map(({ key }) => key)
  }

  /** Time passes for the wall clock and for timers. */
  pass(ms: number): void {
    const end = this.#elapsed + ms
    for (;;) {
      const next = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
      const to = next ? next.at : end
      this.now += to - this.#elapsed
      this.#elapsed = to
      if (!next) return
      this.#timers = this.#timers.filter((one) => one !== next)
      next.run()
    }
  }

  /** Only the wall clock moves: the computer slept, or someone set it. */
  jump(ms: number): void {
    this.now += ms
  }

  set(reminders: readonly Reminder[], accountId = 'a'): void {
    this.scheduler.set(accountId, {
      from: this.now - 12 * hour,
      until: this.now + 3 * day,
      reminders: reminders.filter(({ at }) => at >= this.now - 12 * hour && at < this.now + 3 * day),
      agenda: [],
    })
  }
}

const keysOf = (ringing: readonly Ringing[]): string[] => ringing.map(({ reminder }) => reminder.key)

function reminder(key: string, at: number, about: Partial<Reminder> = {}): Reminder {
  return {
    ...{ key, at, kind: 'event', title: key, start: at + 10 * minute, end: at + 40 * minute, allDay: false },
    ...{ when: '', within: 'Team', record: `events\nteam\n${key}`, item: key, day: 0, calendar: 'team' },
    ...about,
  }
}

/** Numbers from 0 to 1 that depend only on the seed. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647
}

describe('reminders on a running computer', () => {
  it('ring once each, and none more than a second late, 200 in a day', () => {
    const computer = new FakeComputer()
    const random = randomOf(7)
    const all = Array.from({ length: 200 }, (_unused, index) =>
      reminder(`r${index}`, began + Math.floor(random() * 24 * 60) * minute),
    ).filter(({ at }) => at > began)
    computer.set(all)
    for (let passed = 0; passed < day; passed += 3 * minute) {
      // The window hands over the same again and again.
      if (passed % (30 * minute) === 0) computer.set(all)
      computer.pass(3 * minute)
    }
    expect(computer.keys.sort()).toEqual(all.map(({ key }) => key).sort())
    expect(computer.rang.every(({ late }) => late >= 0 && late <= 1_000)).toBe(true)
    expect(computer.summaries).toEqual([])
  })

  it('come as one summary after a jump of a day', () => {
    const computer = new FakeComputer()
    const all = Array.from({ length: 40 }, (_unused, index) => reminder(`r${index}`, began + (index + 1) * 30 * minute))
    computer.set([...all, reminder('later', began + day + 2 * hour)])
    computer.jump(day)
    computer.pass(15_000)
    expect(computer.rang).toEqual([])
    expect(computer.summaries).toEqual([all.map(({ key }) => key)])
    computer.pass(3 * hour)
    expect(computer.keys).toEqual(['later'])
  })

  it('show a single missed one as itself', () => {
    const computer = new FakeComputer()
    computer.set([reminder('one', began + hour)])
    computer.jump(2 * hour)
    computer.scheduler.check()
    expect(computer.keys).toEqual(['one'])
    expect(computer.summaries).toEqual([])
    expect(computer.scheduler.ringing[0]!.missed).toBe(true)
  })

  it('don’t ring again after the clock was set back', () => {
    const computer = new FakeComputer()
    computer.set([reminder('one', began + hour)])
    computer.pass(hour + minute)
    computer.jump(-2 * hour)
    computer.pass(3 * hour)
    expect(computer.keys).toEqual(['one'])
  })

  it('don’t ring again in another zone, and ring at its time where they haven’t yet', () => {
    const start = wallOfText('2026-06-11')
    const allDay = (inZone: string): Reminder => {
      const { key, at } = eventReminders({ item: 'day', start, allDay: true }, [0], inZone)[0]!
      return reminder(key, at, { allDay: true })
    }
    const computer = new FakeComputer()
    computer.set([allDay('Europe/Berlin')])
    computer.pass(26 * hour)
    expect(computer.keys).toHaveLength(1)
    computer.set([allDay('America/New_York')])
    computer.pass(12 * hour)
    expect(computer.keys).toHaveLength(1)

    const traveler = new FakeComputer()
    traveler.set([allDay('Europe/Berlin')])
    traveler.pass(2 * hour)
    const york = allDay('America/New_York')
    traveler.set([york])
    traveler.pass(2 * day)
    expect(traveler.rang).toEqual([{ key: york.key, late: 0, quiet: false }])
  })

  it('ring at the local time after a change to or from summer time', () => {
    for (const date of ['2026-03-29', '2026-10-25']) {
      const begin = Date.parse(`${date}T00:00:00Z`) - 6 * hour
      const computer = new FakeComputer(undefined, begin)
      const { key, at } = eventReminders({ item: 'day', start: wallOfText(date), allDay: true }, [0], zone)[0]!
      computer.set([reminder(key, at, { allDay: true })])
      computer.pass(day)
      expect(computer.rang).toEqual([{ key, late: 0, quiet: false }])
      expect(new Date(wallOfInstant(at, zone)).getUTCHours()).toBe(9)
    }
  })

  it('come as a summary if many are due at the same moment', () => {
    const computer = new FakeComputer()
    computer.set(Array.from({ length: 8 }, (_unused, index) => reminder(`r${index}`, began + hour)))
    computer.pass(2 * hour)
    expect(computer.rang).toEqual([])
    expect(computer.summaries).toHaveLength(1)
    expect(computer.summaries[0]).toHaveLength(8)
  })
})

describe('a reminder', () => {
  it('of something that was declined, deleted, or completed never rings', () => {
    const computer = new FakeComputer()
    computer.set([reminder('one', began + hour)])
    computer.pass(30 * minute)
    computer.set([])
    computer.pass(2 * hour)
    expect(computer.rang).toEqual([])
  })

  it('stops ringing when its event is gone', () => {
    const computer = new FakeComputer()
    computer.set([reminder('one', began + hour), reminder('two', began + hour)])
    computer.pass(hour)
    expect(keysOf(computer.scheduler.ringing)).toEqual(['one', 'two'])
    computer.set([reminder('two', began + hour)])
    expect(keysOf(computer.scheduler.ringing)).toEqual(['two'])
  })

  it('rings again after a snooze, and not if its event is gone by then', () => {
    const computer = new FakeComputer()
    const one = reminder('one', began + hour)
    computer.set([one])
    computer.pass(hour)
    computer.scheduler.snooze('a', 'one', 5)
    expect(computer.scheduler.ringing).toEqual([])
    computer.pass(4 * minute)
    computer.set([one])
    expect(computer.keys).toEqual(['one'])
    computer.pass(minute)
    expect(computer.keys).toEqual(['one', 'one'])
    computer.scheduler.snooze('a', 'one', 'start')
    computer.pass(4 * minute)
    expect(computer.keys).toHaveLength(2)
    computer.pass(minute)
    expect(computer.keys).toHaveLength(3)
    computer.scheduler.snooze('a', 'one', 5)
    computer.set([])
    computer.pass(hour)
    expect(computer.keys).toHaveLength(3)
  })

  it('stays on screen, or snoozed until the start, when its event moves a little', () => {
    const moved = (item: string, start: number): Reminder =>
      reminder(`${item}\n${start}\n60`, start - hour, { item, start, end: start + hour })
    const computer = new FakeComputer()
    const at = began + 2 * hour
    computer.set(['shown', 'start', 'minutes', 'dismissed'].map((item) => moved(item, at)))
    computer.pass(hour)
    const [shown, start, minutes, dismissed] = computer.scheduler.ringing.map(({ reminder: { key } }) => key)
    computer.scheduler.snooze('a', start!, 'start')
    computer.scheduler.snooze('a', minutes!, 20)
    computer.scheduler.dismiss([{ accountId: 'a', key: dismissed! }])
    expect(keysOf(computer.scheduler.ringing)).toEqual([shown])
    computer.pass(10 * minute)
    const items = (): string[] => computer.scheduler.ringing.map(({ reminder: { item } }) => item)
    const later = at + 5 * minute
    computer.set(['shown', 'start', 'minutes', 'dismissed'].map((item) => moved(item, later)))
    expect(computer.scheduler.ringing.map(({ reminder: one }) => [one.item, one.start])).toEqual([['shown', later]])
    computer.pass(10 * minute)
    expect(items()).toEqual(['shown', 'minutes'])
    computer.pass(45 * minute - 1)
    expect(items()).toEqual(['shown', 'minutes'])
    computer.pass(1)
    expect(items()).toEqual(['shown', 'minutes', 'start'])
    expect(computer.rang).toHaveLength(6)
  })

  it('makes way for the one that still comes when its event moves further, and for none when it’s over', () => {
    const moved = (start: number): Reminder =>
      reminder(`one\n${start}\n60`, start - hour, { item: 'one', start, end: start + hour })
    const computer = new FakeComputer()
    computer.set([moved(began + 2 * hour)])
    computer.pass(hour)
    computer.set([moved(began + 3 * hour)])
    expect(computer.scheduler.ringing).toEqual([])
    computer.pass(hour)
    expect(computer.scheduler.ringing).toHaveLength(1)
    computer.set([moved(began)])
    expect(computer.scheduler.ringing).toEqual([])
  })

  it('that arrives after its time rings only if its event starts soon', () => {
    const computer = new FakeComputer()
    computer.set([
      reminder('soon', began - 3 * minute, { start: began + 7 * minute }),
      reminder('tomorrow', began - hour, { start: began + day }),
      reminder('over', began - hour, { start: began - 30 * minute }),
    ])
    computer.pass(minute)
    expect(computer.keys).toEqual(['soon'])
  })

  it('of a muted calendar or with notifications off doesn’t ring, then or later', () => {
    const computer = new FakeComputer()
    computer.settings = { ...defaultNotifications, muted: [mutedCalendar('a', 'team')] }
    const task = { kind: 'task', calendar: '' } as const
    computer.set([reminder('muted', began + hour), reminder('other', began + hour, { calendar: 'own' })])
    computer.pass(hour)
    expect(computer.keys).toEqual(['other'])
    computer.settings = { ...defaultNotifications, on: false }
    computer.set([reminder('off', began + 2 * hour), reminder('task', began + 2 * hour, task)])
    computer.pass(2 * hour)
    computer.settings = { ...defaultNotifications }
    computer.pass(2 * hour)
    expect(computer.keys).toEqual(['other'])
  })

  it('in quiet hours appears in the window only', () => {
    const computer = new FakeComputer()
    // It’s 8:00 in Berlin.
    computer.settings = { ...defaultNotifications, quiet: { from: 9 * 60, to: 10 * 60 } }
    computer.set([reminder('before', began + 59 * minute), reminder('in', began + hour)])
    computer.pass(hour)
    expect(computer.rang.map(({ key, quiet }) => [key, quiet])).toEqual([
      ['before', false],
      ['in', true],
    ])
    expect(keysOf(computer.scheduler.ringing)).toEqual(['before', 'in'])
  })

  it('of an account that was removed doesn’t ring', () => {
    const computer = new FakeComputer()
    computer.set([reminder('one', began + hour)], 'gone')
    computer.set([reminder('two', began + hour)], 'stays')
    computer.scheduler.forget('gone')
    computer.pass(hour)
    expect(computer.keys).toEqual(['two'])
  })
})

describe('the stored schedule', () => {
  async function restarted(stop: (computer: FakeComputer) => void, now: number): Promise<FakeComputer> {
    const folder = await mkdtemp(join(tmpdir(), 'flightplan-reminders-'))
    const files = new ReminderFiles(folder)
    const first = new FakeComputer()
    first.set([reminder('one', began + hour), reminder('two', began + 2 * hour), reminder('three', began + 3 * hour)])
    stop(first)
    files.keep('a', first.scheduler.schedule('a')!)
    await files.settled()
    return new FakeComputer(await new ReminderFiles(folder).read(), now)
  }

  it('rings before the window has read anything, and nothing twice', async () => {
    const computer = await restarted((first) => first.pass(hour + minute), began + hour + 2 * minute)
    computer.scheduler.check()
    computer.pass(hour)
    expect(computer.keys).toEqual(['two'])
  })

  it('brings what was missed while the app was closed as one summary', async () => {
    const computer = await restarted((first) => first.pass(minute), began + 5 * hour)
    computer.scheduler.check()
    expect(computer.summaries).toEqual([['one', 'two', 'three']])
  })

  it('keeps a snoozed reminder', async () => {
    const snoozed = (first: FakeComputer): void => {
      first.pass(hour)
      first.scheduler.snooze('a', 'one', 10)
    }
    const computer = await restarted(snoozed, began + hour + 2 * minute)
    computer.scheduler.check()
    computer.pass(8 * minute)
    expect(computer.keys).toEqual(['one'])
  })

  it('is ignored if it’s damaged, and removed with its account', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'flightplan-reminders-'))
    const files = new ReminderFiles(folder)
    const computer = new FakeComputer()
    computer.set([reminder('one', began + hour)])
    files.keep('a', computer.scheduler.schedule('a')!)
    files.keep('b', computer.scheduler.schedule('a')!)
    await files.settled()
    const [first, second] = await readdir(join(folder, 'reminders'))
    await writeFile(join(folder, 'reminders', first!), '{"version":1,"accountId":"a","reminders":[{}]}')
    expect([...(await new ReminderFiles(folder).read()).keys()]).toHaveLength(1)
    await writeFile(join(folder, 'reminders', second!), '{')
    expect(await new ReminderFiles(folder).read()).toEqual(new Map())
    files.forget('a')
    files.forget('b')
    await files.settled()
    expect(await readdir(join(folder, 'reminders'))).toEqual([])
  })
})

it('notifications say what, when, and where', () => {
  const one = reminder('Stand-up', began, { when: '08:10 to 08:40', location: 'Room Fjord' })
  const ringing = { accountId: 'a', reminder: one, missed: false }
  expect(noteOf(ringing, began)).toEqual({
    title: 'Stand-up · in 10 min',
    body: '08:10 to 08:40 · Team · Room Fjord',
  })
  const task = { ...ringing, reminder: { ...one, kind: 'task', title: ' ', when: '9:00' } as const }
  expect(noteOf(task, began)).toEqual({ title: '(No title) · due today', body: '9:00 · Team · Room Fjord' })
  const summary = summaryOf(Array.from({ length: 6 }, () => ringing))
  expect(summary.title).toBe('6 reminders while you were away')
  expect(summary.body.split('\n')).toHaveLength(5)
  expect(summary.body).toMatch(/and 2 more$/)
})
