import { isJsonObject, type JsonObject } from '#shared/json'

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
  'hiddenCalendars',
  'taskPane',
] as const

/**
 * What the window remembers, in safe mode: settings that people choose are read and written as usual. Everything else, such
 * as columns and unsaved forms, seems to be missing. It stays stored for the next normal start, and what’s written over it
 * is forgotten. Only the last view is really reset, because it may be what goes wrong.
 */
export function safeStorage(real: Storage): Storage {
  const own = new Map<string, string>()
  const stored = (): JsonObject => objectOf(real.getItem(settingsKey))
  const write = (settings: JsonObject): void => real.setItem(settingsKey, JSON.stringify(settings))
  const { view, ...others } = stored()
  if (view !== undefined) write(others)
  own.set(settingsKey, JSON.stringify(withoutScreenState(others)))
  return {
    getItem: (key) => own.get(key) ?? null,
    setItem: (key, value) => {
      own.set(key, value)
      if (key === settingsKey) write({ ...stored(), ...withoutScreenState(objectOf(value)) })
    },
    removeItem: (key) => void own.delete(key),
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

const withoutScreenState = (settings: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => !screenState.includes(name as never)))
