import type { JsonObject } from '#shared/json'
import { faultOf } from '#shared/fault'
import type { SavedFile } from '#shared/ipc/file-questions'
import { ask } from '../../bridge'
import { readEvents, wholeKeys } from '../../context/event-records'
import { titleOf } from './event-labels'
import type { Entry } from './layout/entry'
import type { CalendarModel } from './model.svelte'

interface EventFile {
  email: string
  calendarName: string
  timeZone: string
  events: JsonObject[]
}

/** Contents of an event's calendar file: the event, or its whole series. */
async function fileOf(model: CalendarModel, entry: Entry): Promise<EventFile> {
  const { replica, preferences, account } = model.app
  const events = entry.event ? await readEvents(replica, wholeKeys(replica, entry.event)) : []
  return { calendarName: titleOf(entry.title), timeZone: preferences.zone, email: account.email, events }
}

/** Why a calendar file doesn’t hold all of an event or its series. Undefined if it does. */
const leftOutWords = ({ leftOut: { names } }: Pick<SavedFile, 'leftOut'>): string | undefined =>
  names[0] && `Couldn’t export ${names[0]}. Open it, fix its times or recurrence rule, then export it again.`

/** Saves an event or its series to a calendar file that the user chooses. */
export async function exportEvent(model: CalendarModel, entry: Entry): Promise<void> {
  const { app } = model
  try {
    const saved = await ask(app.bridge, 'export/ics', {
      ...(await fileOf(model, entry)),
      suggestedName: titleOf(entry.title).slice(0, 200),
    })
    if (!saved) return
    const { path } = saved
    const text = leftOutWords(saved) ?? `Saved ${path}`
    app.announce(text)
    app.toasts.show(text, {
      action: { label: 'Show in folder', run: () => void app.bridge.ask('app/reveal-file', { path }) },
    })
  } catch (error) {
    app.toasts.show(`Couldn’t export the event. ${faultOf(error).message}`, { level: 'error' })
  }
}

/** Turns the drag of an event that left the window into one of a calendar file. Nothing happens if it’s released before. */
export async function dragFile(model: CalendarModel, entry: Entry): Promise<void> {
  const { app } = model
  const released = new AbortController()
  const { signal } = released
  for (const name of ['pointerup', 'pointercancel'] as const)
    window.addEventListener(name, () => released.abort(), { once: true, signal })
  try {
    const name = titleOf(entry.title)
    const text = leftOutWords(await ask(app.bridge, 'export/draggable', { ...(await fileOf(model, entry)), name }))
    if (text !== undefined) return void app.toasts.show(text, { level: 'error' })
    // The system takes over only while the button is down: without one, its drag would last until the next click.
    if (!(await isHeld(signal))) return
    app.announce('Drop the event in a folder or another app to save it as a calendar file')
    await ask(app.bridge, 'export/drag', {})
  } catch (error) {
    app.toasts.show(`Couldn’t export the event. ${faultOf(error).message}`, { level: 'error' })
  } finally {
    released.abort()
  }
}

/** True once the pointer moves with its button down. False if that was released. */
const isHeld = (released: AbortSignal): Promise<boolean> =>
  new Promise((resolve) => {
    if (released.aborted) return resolve(false)
    released.addEventListener('abort', () => resolve(false), { once: true })
    window.addEventListener('pointermove', ({ buttons }) => resolve((buttons & 1) === 1), {
      once: true,
      signal: released,
    })
  })
