import type { WebPreferences } from 'electron'

/** Argument of the preload script in safe mode. */
const safeModeArgument = '--flightplan-safe-mode'
/** Argument of the preload script in windows that follow the first one. */
const followsArgument = '--flightplan-follows'

/**
 * Preferences of every window: sandboxed, without Node.
 * @param clockOffset milliseconds by which the window's clock is ahead of the computer's
 * @param how `safeMode`: the page starts without its stored state. `follows`: it follows the first window
 */
export const webPreferences = (
  preload: string,
  clockOffset: number,
  { safeMode = false, follows = false } = {},
): WebPreferences => ({
  preload,
  additionalArguments: [
    `--clock-offset=${clockOffset}`,
    ...(safeMode ? [safeModeArgument] : []),
    ...(follows ? [followsArgument] : []),
  ],
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  webSecurity: true,
  // Elsewhere, Chromium would download dictionaries.
  spellcheck: process.platform === 'darwin',
  backgroundThrottling: false,
})
