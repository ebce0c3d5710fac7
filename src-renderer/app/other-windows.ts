import { shownAccountKey } from '../context/accounts.svelte'
import type { AppContext } from '../context/context'
import { settingsKey } from '../context/settings.svelte'

/** Follows what other windows store: settings, and which account is shown. @returns ends it */
export function followOtherWindows(app: AppContext): () => void {
  const onstorage = ({ key, newValue }: StorageEvent): void => {
    if (key === settingsKey) app.settings.readAgain()
    else if (key === shownAccountKey && newValue !== null) void app.showAccount(newValue)
  }
  // Main doesn't announce these.
  const onfocus = (): void => void app.presets.read()
  window.addEventListener('storage', onstorage)
  window.addEventListener('focus', onfocus)
  return () => {
    window.removeEventListener('storage', onstorage)
    window.removeEventListener('focus', onfocus)
  }
}
