import type { Fault, FaultCode } from '#shared/fault'
import { saidWords } from '../../../context/lane-words'

/** Problems with a known remedy. */
const known: Partial<Record<FaultCode, [title: string, todo: string]>> = {
  offline: ['You’re offline', 'Earlier downloads stay available. Try again when you’re online.'],
  unreachable: ['Can’t reach the service', 'Earlier downloads stay available. Try again later.'],
  answerLost: ['No response from the service', 'It’s safe to try again.'],
  signInExpired: ['Sign-in required', 'You can sign in under Settings > Accounts. Then try again.'],
  forbidden: ['No access', 'Ask for access to the advertiser, or choose another account.'],
  rateLimited: ['Too many requests', 'Wait a minute, then try again.'],
  quotaSpent: ['Daily quota used up', 'Earlier downloads stay available. Try again tomorrow.'],
  unavailable: ['The service had a problem', 'Try again in a few minutes.'],
  notFound: ['Not found', 'Check the IDs, starting with the agency.'],
  invalid: ['The service rejected the request', 'Check the IDs and dates.'],
  conflict: ['Nothing changed', ''],
  badAnswer: ['The service had a problem', ''],
  storage: ['Couldn’t use the files on this computer', ''],
}

/** Formats a fault as a note: what happened, the service's message, and what to do. */
export function faultNote(fault: Fault): { title: string; kept: string; todo?: string } {
  const [title, todo] = known[fault.code] ?? ['Something went wrong', 'Try again.']
  return { title, kept: saidWords(fault), todo }
}
