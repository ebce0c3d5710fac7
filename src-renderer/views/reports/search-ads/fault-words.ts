import type { Fault, FaultCode } from '#shared/fault'
import { saidWords } from '../../../context/lane-words'

/** What is wrong and what helps, where it is not for the service alone to say. */
const known: Partial<Record<FaultCode, [title: string, todo: string]>> = {
  offline: ['There is no network now', 'What was fetched before stays readable. Fetch again once there is one.'],
  unreachable: ['The service cannot be reached', 'What was fetched before stays readable. Try again in a while.'],
  answerLost: ['The answer did not come', 'Try again: nothing was asked that could be done twice.'],
  signInExpired: ['The sign-in has ended', 'Sign in again in Settings, then try again.'],
  forbidden: ['This account may not see it', 'Ask for access to the advertiser, or choose another account.'],
  rateLimited: ['Too much was asked for at once', 'Wait a minute and try again.'],
  quotaSpent: ['No more can be asked for today', 'Try again tomorrow. What was fetched stays readable.'],
  unavailable: ['Something went wrong at the service', 'Try again in some minutes.'],
  notFound: ['The service has no such thing', 'Check the ids, from the agency down.'],
  invalid: ['The service did not take it', 'Check the ids and days.'],
  storage: ['This computer could not keep it', 'Make room on the disk and try again.'],
}

/** A fault as a note: what happened, the service's words, what to do. */
export function faultNote(fault: Fault): { title: string; kept: string; todo?: string } {
  const [title, todo] = known[fault.code] ?? ['That did not work', 'Try again.']
  return { title, kept: saidWords(fault), todo }
}
