import type { WebPreferences } from 'electron'

/**
 * Preferences of every window: sandboxed, without Node.
 * @param clockOffset milliseconds by which the window's clock is ahead of the computer's
 */
export const webPreferences = (preload: string, clockOffset: number): WebPreferences => ({
  preload,
  additionalArguments: [`--clock-offset=${clockOffset}`],
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  webSecurity: true,
  // Elsewhere, Chromium would download dictionaries.
  spellcheck: process.platform === 'darwin',
  backgroundThrottling: false,
})
