import type { Account } from '#shared/ipc/contract'
import type { ServiceName } from '#shared/wire/services'

/** What people call a service; one without a name here goes by its own. */
export const serviceTitles: Readonly<Partial<Record<ServiceName, string>>> = {
  calendar: 'Calendar',
  tasks: 'Tasks',
  trafficking: 'Campaigns',
  search: 'Search ads',
  discovery: 'API listing',
}

export const serviceTitle = (service: ServiceName): string => serviceTitles[service] ?? service

/** How it stands with an account's sign-in. */
export function signInWords(account: Account): string {
  if (account.kind === 'sandbox') return account.signIn === 'in' ? 'On this computer' : 'Sign-in has expired'
  if (account.signIn === 'in') return account.kept === 'memory' ? 'Signed in until you quit' : 'Signed in'
  return account.signIn === 'expired' ? 'Sign-in has expired' : 'Signed out'
}

/** One or two letters to tell accounts apart at a glance. */
export function initialsOf({ label, email }: Pick<Account, 'label' | 'email'>): string {
  const words = (label || email).split(/[\s.@_-]+/).filter(Boolean)
  const letters = words.length > 1 ? [words[0]!, words[1]!] : words.slice(0, 1)
  return letters.map((word) => [...word][0]!.toUpperCase()).join('') || '?'
}
