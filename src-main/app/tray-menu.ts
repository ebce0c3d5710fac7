import { awayWords } from '#shared/domain/reminders'
import type { AgendaItem } from '#shared/ipc/reminder-questions'

/** Data that the tray shows. */
export interface TrayState {
  /** Events of all accounts that aren’t over, by start. */
  agenda: readonly (AgendaItem & { accountId: string })[]
  pending: number
  /** Reason why changes are pending, or the state of sync. */
  status: string
  offline: boolean
  /** Keys of quick add. Empty for none. */
  shortcut: string
}

export interface TrayCommands {
  show: () => void
  quickAdd: () => void
  open: (item: AgendaItem & { accountId: string }) => void
  join: (item: AgendaItem) => void
  sync: () => void
  toggleOffline: () => void
  quit: () => void
}

export type TrayItem = 'line' | { label: string; run?: () => void; checked?: boolean; keys?: string }

const maxListed = 8
const maxLength = 60
const hourMs = 3_600_000

const short = (text: string): string => (text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text)
const titleOf = (item: AgendaItem): string => item.title.trim() || '(No title)'
// An ampersand would underline the next letter.
const plain = (text: string): string => short(text).replaceAll('&', '&&')

/** The next event that isn’t all day: the running one until it’s a quarter over, then the one after it. */
export function nextEvent<T extends AgendaItem>(agenda: readonly T[], now: number): T | undefined {
  const timed = agenda.filter(({ allDay, end }) => !allDay && end > now)
  return timed.find(({ start, end }) => now < start + (end - start) / 4) ?? timed[0]
}

/** The tray’s menu. @param endOfDay epoch milliseconds at which today ends */
export function trayItems(state: TrayState, commands: TrayCommands, now: number, endOfDay: number): TrayItem[] {
  const next = nextEvent(state.agenda, now)
  const { join } = next ?? {}
  const rest = state.agenda.filter((item) => item !== next && item.end > now && item.start < endOfDay)
  const changes = state.pending === 1 ? '1 pending change' : `${state.pending.toLocaleString('en')} pending changes`
  return [
    ...(next
      ? [{ label: plain(`${titleOf(next)} · ${awayWords(next, now)}`), run: () => commands.open(next) }]
      : [{ label: 'No more events today' }]),
    ...(next && join !== undefined && next.start - now < hourMs
      ? [{ label: plain(`Join ${titleOf(next)}`), run: () => commands.join(next) }]
      : []),
    'line' as const,
    ...rest
      .slice(0, maxListed)
      .map((item) => ({ label: plain(`${item.when}  ${titleOf(item)}`), run: () => commands.open(item) })),
    ...(rest.length > maxListed ? [{ label: `${rest.length - maxListed} more`, run: commands.show }] : []),
    ...(rest.length > 0 ? ['line' as const] : []),
    { label: 'Quick add…', run: commands.quickAdd, ...(state.shortcut && { keys: state.shortcut }) },
    { label: 'Open Flightplan', run: commands.show },
    'line',
    {
      label: state.pending > 0 ? plain(`${changes} · ${state.status}`) : 'No pending changes',
      run: commands.sync,
    },
    { label: 'Offline mode', checked: state.offline, run: commands.toggleOffline },
    'line',
    { label: 'Quit', run: commands.quit },
  ]
}

/** `Stand-up in 12 min`, for the icon. */
export function trayTip(state: TrayState, now: number): string {
  const next = nextEvent(state.agenda, now)
  const near = next && next.start - now < 12 * hourMs
  return near ? `${short(titleOf(next))} · ${awayWords(next, now)}` : 'Flightplan'
}
