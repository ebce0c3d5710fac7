import type { Account } from '#shared/ipc/account-questions'

/** An account of the embedded service, as tests of everything but accounts want it. */
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
