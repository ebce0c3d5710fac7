import type { Account } from '#shared/ipc/account-questions'
import type { ServiceName } from '#shared/wire/services'
import { counted } from '../ui/counted'

/** What people call a service; one without a name here goes by its own. */
export const serviceTitles: Readonly<Partial<Record<ServiceName, string>>> = {
  calendar: 'Calendar',
  tasks: 'Tasks',
  trafficking: 'Campaigns',
  search: 'Search ads',
  discovery: 'API listing',
}

export const serviceTitle = (service: ServiceName): string => serviceTitles[service] ?? service

export const nameOf = ({ label, email }: Pick<Account, 'label' | 'email'>): string => label || email || 'Account'

/** How it stands with an account's sign-in. */
export function signInWords(account: Account): string {
  if (account.kind === 'sandbox') return account.signIn === 'in' ? 'On this computer' : 'Session expired'
  if (account.signIn === 'in') return account.kept === 'memory' ? 'Signed in until you quit' : 'Signed in'
  if (account.signIn === 'expired') return 'Session expired'
  return account.email === '' ? 'Not signed in yet' : 'Signed out'
}

/** What of an account is not as it should be, the gravest first; empty in the usual case. */
export interface Concern {
  signingIn: boolean
  /** Its replica did not open. */
  closed: boolean
  needsYou: number
  unsent: number
}

export function concernWords(account: Account, { signingIn, closed, needsYou, unsent }: Concern): string {
  const waiting = needsYou > 0 ? needWords(needsYou) : unsent > 0 ? pendingWords(unsent) : ''
  const signIn = signingIn ? 'Waiting for your browser' : account.signIn === 'in' ? '' : signInWords(account)
  return [closed ? 'Couldn’t open' : '', signIn, waiting].filter(Boolean).join(' · ')
}

export const changeWords = (count: number): string =>
  count === 1 ? '1 change' : `${count.toLocaleString('en')} changes`

export const pendingWords = (count: number): string => counted(count, 'pending change')

export const needWords = (count: number): string =>
  count === 1 ? '1 needs attention' : `${count.toLocaleString('en')} need attention`

/** What a fault says, as a sentence that another one can follow. */
export const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`)

/** One or two letters to tell accounts apart at a glance. */
export function initialsOf({ label, email }: Pick<Account, 'label' | 'email'>): string {
  const words = (label || email).split(/[\s.@_-]+/).filter(Boolean)
  const letters = words.length > 1 ? [words[0]!, words[1]!] : words.slice(0, 1)
  return letters.map((word) => [...word][0]!.toUpperCase()).join('') || '?'
}

/**
 * An address as people type it: without a scheme it is https, on this computer http.
 * @returns the text itself where it cannot be an address; whoever asks there says so
 */
export function typedAddress(text: string): string {
  const trimmed = text.trim()
  if (trimmed === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed)) return trimmed
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:|\/|$)/i.test(trimmed) ? `http://${trimmed}` : `https://${trimmed}`
}
