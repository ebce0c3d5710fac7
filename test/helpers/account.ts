import type { Account } from '#shared/ipc/account-questions'

/** A sandbox account, for tests of anything but accounts. */
export const someAccount = (more: Partial<Account> = {}): Account => ({
  id: 'sandbox',
  email: 'alex.morgan@flightplan.example',
  label: 'Sandbox',
  kind: 'sandbox',
  vocabulary: 'neutral',
  services: {},
  versions: {},
  signIn: 'in',
  kept: 'embedded',
  signedIn: true,
  opened: true,
  downloads: [],
  ...more,
})
