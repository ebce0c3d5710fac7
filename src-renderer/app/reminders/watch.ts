import type { Account } from '#shared/ipc/account-questions'
import type { Bridge } from '#shared/ipc/contract'
import { defaultNotifications, type Coming } from '#shared/ipc/reminder-questions'
import { ask } from '../../bridge'
import { clock } from '../../clock'
import { parseSettings } from '../../context/settings.svelte'
import { serviceSetting, zoneFor } from '../../context/zone-of'
import type { Replica, Topic } from '../../replica/api'
import { comingOf } from './coming'

/** Milliseconds between a change and its hand-over, and between two of them. The range moves on at least every `most`. */
const pause = { first: 250, next: 2_000, most: 600_000 }
const watched: readonly Topic[] = ['events', 'tasks', 'tasklists', 'calendarList', 'settings']

/**
 * Hands an account’s coming reminders and events to main whenever they change, also while another account is shown, until
 * the account is removed.
 */
export function watchReminders(about: {
  account: Account
  replica: Replica
  bridge: Bridge
  storage: Pick<Storage, 'getItem'>
  computerZone: () => string
  /** Calls back after the zone or the clock changed. Returns a function that ends it. */
  onzone: (listener: () => void) => () => void
}): void {
  const { account, replica, bridge } = about
  let { tasksDueAt } = defaultNotifications
  let handed = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  let due = Infinity
  let running = false
  let stopped = false

  const soon = (ms: number): void => {
    const at = clock.elapsed() + ms
    if (stopped || at >= due) return
    clearTimeout(timer)
    due = at
    timer = setTimeout(() => void hand(), ms)
  }
  async function hand(): Promise<void> {
    due = Infinity
    if (running) return soon(pause.next)
    running = true
    try {
      const coming = await comingOf(replica, context())
      const text = contentOf(coming)
      if (text !== handed && !stopped) {
        await ask(bridge, 'reminders/set', { accountId: account.id, ...coming })
        handed = text
      }
    } catch {
      // The account may have been removed. Otherwise, the next change tries again.
    } finally {
      running = false
      soon(pause.most)
    }
  }
  function context(): Parameters<typeof comingOf>[1] {
    const { zone, hourCycle } = parseSettings(about.storage.getItem('flightplan.settings'))
    const hour12 =
      hourCycle === 'service' ? serviceSetting(replica, 'format24HourTime') === 'false' : hourCycle === '12'
    return { now: clock.now(), zone: zoneFor(zone, replica, about.computerZone()), hour12, tasksDueAt }
  }

  const off = [
    replica.subscribe((topics) => {
      if (watched.some((topic) => topics.has(topic))) soon(handed === '' ? pause.first : pause.next)
    }),
    bridge.on('app/resumed', () => soon(0)),
    about.onzone(() => soon(0)),
    bridge.on('notifications/changed', (settings) => {
      if (settings.tasksDueAt === tasksDueAt) return
      tasksDueAt = settings.tasksDueAt
      soon(0)
    }),
    bridge.on('account/changed', ({ accounts }) => {
      if (accounts.some(({ id }) => id === account.id)) return
      stopped = true
      clearTimeout(timer)
      off.forEach((end) => end())
    }),
  ]
  void ask(bridge, 'notifications/settings', {})
    .then((settings) => (tasksDueAt = settings.tasksDueAt))
    .catch(() => undefined)
    .finally(() => soon(pause.first))
}

/** What main would store, to skip handing it over again. The range moves on with every look. */
const contentOf = ({ reminders, agenda, until }: Coming): string =>
  JSON.stringify([reminders, agenda, Math.floor(until / 3_600_000)])
