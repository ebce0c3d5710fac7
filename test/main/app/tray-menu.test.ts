import { expect, it } from 'vitest'
import type { AgendaItem } from '#shared/ipc/reminder-questions'
import { nextEvent, trayItems, trayTip, type TrayCommands, type TrayState } from '../../../src-main/app/tray-menu'

const minute = 60_000
const hour = 60 * minute
const now = Date.parse('2026-06-10T08:00:00+02:00')
const endOfDay = Date.parse('2026-06-11T00:00:00+02:00')

function event(title: string, start: number, about: Partial<AgendaItem> = {}): AgendaItem & { accountId: string } {
  return {
    ...{ accountId: 'a', title, start, end: start + hour, allDay: false, when: '9:00', within: 'Team' },
    ...{ record: title, item: title, day: 0 },
    ...about,
  }
}

const ran: string[] = []
const commands: TrayCommands = {
  show: () => ran.push('show'),
  quickAdd: () => ran.push('quick add'),
  open: ({ title }) => ran.push(`open ${title}`),
  join: ({ join }) => ran.push(`join ${join}`),
  sync: () => ran.push('sync'),
  toggleOffline: () => ran.push('offline'),
  quit: () => ran.push('quit'),
}
const state = (about: Partial<TrayState> = {}): TrayState => ({
  ...{ agenda: [], pending: 0, status: 'Online', offline: false, shortcut: 'Control+Alt+Space' },
  ...about,
})
const labels = (about: Partial<TrayState>): string[] =>
  trayItems(state(about), commands, now, endOfDay).map((item) => (item === 'line' ? '-' : item.label))

it('the tray separates the thousands of pending changes', () => {
  expect(labels({ pending: 1_200 })).toContain('1,200 pending changes · Online')
})

it('the tray shows the next event with its call, the rest of today, and pending changes', () => {
  const agenda = [
    event('Trade fair', now - 8 * hour, { allDay: true, end: endOfDay, when: 'all day' }),
    event('Stand-up', now + 12 * minute, { join: 'https://meet.example/1' }),
    event('R&D', now + 3 * hour, { when: '11:00 to 12:00' }),
    event('Tomorrow', now + 26 * hour),
  ]
  expect(labels({ agenda, pending: 3, status: 'Offline mode', offline: true })).toEqual([
    'Stand-up · in 12 min',
    'Join Stand-up',
    '-',
    'all day  Trade fair',
    '11:00 to 12:00  R&&D',
    '-',
    'Quick add…',
    'Open Flightplan',
    '-',
    '3 pending changes · Offline mode',
    'Offline mode',
    '-',
    'Quit',
  ])
  expect(trayTip(state({ agenda }), now)).toBe('Stand-up · in 12 min')
  for (const item of trayItems(state({ agenda }), commands, now, endOfDay)) if (item !== 'line') item.run?.()
  expect(ran).toEqual([
    ...['open Stand-up', 'join https://meet.example/1', 'open Trade fair', 'open R&D'],
    ...['quick add', 'show', 'sync', 'offline', 'quit'],
  ])
})

it('an empty day says so, and a busy one is cut short', () => {
  expect(labels({}).slice(0, 3)).toEqual(['No more events today', '-', 'Quick add…'])
  expect(trayTip(state(), now)).toBe('Flightplan')
  const agenda = Array.from({ length: 12 }, (_unused, index) => event(`Call ${index}`, now + (index + 1) * hour))
  expect(labels({ agenda }).filter((label) => label.includes('Call'))).toHaveLength(9)
  expect(labels({ agenda })).toContain('3 more')
})

it('a running event is the next one until a quarter of it is over', () => {
  const agenda = [event('Running', now - 10 * minute), event('Next', now + 50 * minute)]
  expect(nextEvent(agenda, now)?.title).toBe('Running')
  expect(nextEvent(agenda, now + 10 * minute)?.title).toBe('Next')
})
