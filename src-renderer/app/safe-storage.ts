import { isJsonObject, type Json, type JsonObject } from '#shared/json'

const settingsKey = 'flightplan.settings'

/** Settings that only describe what the window shows. */
const screenState = [
  'view',
  'sidebarOpen',
  'sidebarWidth',
  'inspectorWidth',
  'sheets',
  'calendarLayout',
  'calendarViews',
  'calendarOrders',
  'hiddenCalendars',
  'taskPane',
] as const

/**
 * Beginnings of the keys of lists with text that isn't saved elsewhere: drafts of events, lines that weren't added, and
 * edits that failed.
 */
const typedKeys = ['flightplan.drafts.', 'flightplan.lines.', 'flightplan.unwritten.']

/**
 * What the window remembers, in safe mode: settings that people choose are read and written as usual. Everything else, such
 * as columns and unsaved forms, seems to be missing. It stays stored for the next normal start. Text that is typed in safe
 * mode is stored next to it, and anything else that’s written over it is forgotten. Only the last view is really reset,
 * because it may be what goes wrong. What is removed is gone in normal mode, too.
 */
export function safeStorage(real: Storage): Storage {
  const own = new Map<string, string>()
  const stored = (): JsonObject => objectOf(real.getItem(settingsKey))
  const write = (settings: JsonObject): void => real.setItem(settingsKey, JSON.stringify(settings))
  const { view, ...others } = stored()
  if (view !== undefined) write(others)
  own.set(settingsKey, JSON.stringify(withoutScreenState(others)))
  /** Lists with typed text, read at the start. */
  const typedBefore = new Map<string, Json[]>()
  const addTyped = (key: string, text: string): void => {
    const before = typedBefore.get(key) ?? listOf(real.getItem(key))
    typedBefore.set(key, before)
    real.setItem(key, JSON.stringify([...listOf(text), ...before]))
  }
  return {
    getItem: (key) => own.get(key) ?? null,
    setItem: (key, value) => {
      own.set(key, value)
      if (key === settingsKey) write({ ...stored(), ...withoutScreenState(objectOf(value)) })
      else if (typedKeys.some((beginning) => key.startsWith(beginning))) addTyped(key, value)
    },
    removeItem: (key) => {
      own.delete(key)
      typedBefore.delete(key)
      if (key !== settingsKey) real.removeItem(key)
    },
    clear: () => own.clear(),
    key: (index) => [...own.keys()][index] ?? null,
    get length() {
      return own.size
    },
  }
}

function objectOf(text: string | null): JsonObject {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return isJsonObject(value) ? value : {}
  } catch {
    // Damaged settings fall back to the usual ones.
    return {}
  }
}

function listOf(text: string | null): Json[] {
  try {
    const value = JSON.parse(text ?? '[]') as Json
    return Array.isArray(value) ? value : []
  } catch {
    // A damaged list isn't read in normal mode either.
    return []
  }
}

const withoutScreenState = (settings: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => !screenState.includes(name as never)))
