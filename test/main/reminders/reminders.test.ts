import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Reminder } from '#shared/ipc/reminder-questions'
import { systemClock } from '#shared/time/clock'
import { Reminders, type SystemNote } from '../../../src-main/reminders/reminders'

// What the buttons of notifications do.

let reminders: Reminders
let notes: SystemNote[]
let announced: [string, unknown][]
let openLink: () => Promise<void>
/** The wall clock. */
let now = Date.parse('2026-06-10T10:00:00Z')

beforeEach(async () => {
  notes = []
  announced = []
  openLink = () => Promise.resolve()
  reminders = await Reminders.open({
    userData: await mkdtemp(join(tmpdir(), 'flightplan-reminders-')),
    clock: { ...systemClock, now: () => now },
    notify: (note) => {
      notes.push(note)
      return Promise.resolve('')
    },
    keepNotes: () => undefined,
    focused: () => false,
    show: () => undefined,
    openLink: () => openLink(),
    announce: (name, payload) => announced.push([name, payload]),
    changed: () => undefined,
  })
})
afterEach(() => reminders.close())

/** Rings a reminder of account `a`. */
async function ring(more: Partial<Reminder>): Promise<Reminder> {
  const shown = { title: 'Call', allDay: false, when: '', within: '', record: 'r', item: 'i', day: 0, calendar: '' }
  const reminder: Reminder = { ...shown, kind: 'event', key: 'k', at: now + 1, start: now + 60_000, end: now, ...more }
  reminders.scheduler.set('a', { from: now, until: now + 2, reminders: [reminder], agenda: [] })
  now += 1
  await expect.poll(() => notes).toHaveLength(1)
  return reminder
}
/** Chooses a button of the latest notification. */
const press = (label: string): void => notes.at(-1)!.onaction(notes.at(-1)!.actions.indexOf(label))
const isRinging = (): boolean => reminders.scheduler.ringing.length > 0

it('a task rings until the window has completed it, and notifies again if that failed', async () => {
  const reminder = await ring({ kind: 'task' })
  press('Complete')
  expect(announced).toContainEqual(['reminders/complete', { accountId: 'a', reminder }])
  expect(isRinging()).toBe(true)
  reminders.failed('a', 'k', 'Your disk is full.')
  expect(notes.at(-1)).toMatchObject({
    ...{ title: 'Couldn’t complete “Call”', body: 'Your disk is full.', tag: notes[0]!.tag },
    actions: ['Complete', 'Snooze 5 min'],
  })
  reminders.scheduler.dismiss([{ accountId: 'a', key: 'k' }])
  reminders.failed('a', 'k', 'Your disk is full.')
  expect(notes).toHaveLength(2)
})

it('a call rings until its link was opened', async () => {
  await ring({ join: 'https://meet.example/1' })
  openLink = () => Promise.reject(new Error('No browser'))
  press('Join')
  await expect.poll(() => notes.at(-1)!.title).toBe('Couldn’t join “Call”')
  expect(isRinging()).toBe(true)
  openLink = () => Promise.resolve()
  press('Join')
  await expect.poll(isRinging).toBe(false)
})
