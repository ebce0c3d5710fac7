import type { Account } from '#shared/ipc/account-questions'
import { counted } from '../ui/counted'

export const nameOf = ({ label, email }: Pick<Account, 'label' | 'email'>): string => label || email || 'Account'

/** State of an account's sign-in. */
export function signInWords(account: Account): string {
  if (account.kind === 'sandbox') return account.signIn === 'in' ? 'On this computer' : 'Session expired'
  if (account.signIn === 'in') return account.kept === 'memory' ? 'Signed in until you quit' : 'Signed in'
  if (account.signIn === 'expired') return 'Session expired'
  return account.email === '' ? 'Not signed in yet' : 'Signed out'
}

/** Problems of an account, most severe first. Usually empty. */
export interface Concern {
  signingIn: boolean
  /** True if the replica couldn't be opened. */
  closed: boolean
  needsYou: number
  /** Includes drafts. */
  unsent: number
  drafts: number
}

export function concernWords(account: Account, { signingIn, closed, needsYou, unsent, drafts }: Concern): string {
  const waiting = needsYou > 0 ? needWords(needsYou) : queueWords(unsent - drafts, drafts)
  const signIn = signingIn ? 'Waiting for your browser' : account.signIn === 'in' ? '' : signInWords(account)
  return [closed ? 'Couldn’t open' : '', signIn, waiting].filter(Boolean).join(' · ')
}

export const changeWords = (count: number): string =>
  count === 1 ? '1 change' : `${count.toLocaleString('en')} changes`

export const pendingWords = (count: number): string => counted(count, 'pending change')

/** `2 pending changes · 1 unposted draft`, or an empty string without any. */
export const queueWords = (pending: number, drafts: number): string =>
  [pending > 0 ? pendingWords(pending) : '', drafts > 0 ? counted(drafts, 'unposted draft') : '']
    .filter(Boolean)
    .join(' · ')

/** `2 unposted drafts · 1 pending change. Sign in again to send it`, or an empty string without any. */
export const signedOutWords = (pending: number, drafts: number): string =>
  [
    queueWords(0, drafts),
    pending > 0 ? `${pendingWords(pending)}. Sign in again to send ${pending === 1 ? 'it' : 'them'}` : '',
  ]
    .filter(Boolean)
    .join(' · ')

export const needWords = (count: number): string => counted(count, 'change needs attention', 'changes need attention')

/** A fault's message with a period, so that another sentence can follow. */
export const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`)

/** Adds that nothing changed to a fault’s message, unless it says so. */
export const unchanged = (message: string): string =>
  /nothing changed/i.test(message) ? message : `Nothing changed. ${message}`

/** One or two letters to distinguish accounts. */
export function initialsOf({ label, email }: Pick<Account, 'label' | 'email'>): string {
  const words = (label || email).split(/[\s.@_-]+/).filter(Boolean)
  const letters = words.length > 1 ? [words[0]!, words[1]!] : words.slice(0, 1)
  return letters.map((word) => [...word][0]!.toUpperCase()).join('') || '?'
}

/**
 * Completes a typed address: without a scheme it's https, on this computer http.
 * @returns the text unchanged if it can't be an address, which the request then reports
 */
export function typedAddress(text: string): string {
  const trimmed = text.trim()
  if (trimmed === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed)) return trimmed
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:|\/|$)/i.test(trimmed) ? `http://${trimmed}` : `https://${trimmed}`
}
