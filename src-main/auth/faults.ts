import { AuthorizationResponseError, ResponseBodyError, WWWAuthenticateChallengeError } from 'oauth4webapi'
import { FaultError, type FaultCode } from '#shared/fault'

/** Maximum length of a server's message that is shown. */
const maxLength = 200

/** Shortens a server's message to one line. It contains parts of the request only if the server repeated them. */
const said = (text: string | undefined): string =>
  text ? ` (${text.replace(/[\u0000-\u001f\u007f]+/g, ' ').slice(0, maxLength)})` : ''

const fault = (code: FaultCode, message: string, reason?: string): FaultError =>
  new FaultError(reason === undefined ? { code, message } : { code, message, reason })

/** Converts an error of a sign-in step. The library's errors contain codes and tokens, so they aren't passed on. */
export function signInFault(error: unknown): FaultError {
  if (error instanceof FaultError) return error
  if (error instanceof AuthorizationResponseError) {
    if (error.error === 'access_denied')
      return fault('forbidden', 'You didn’t give Flightplan access to this account. Nothing changed.', error.error)
    return fault(
      'forbidden',
      `The service rejected the sign-in: ${error.error}${said(error.error_description)}.`,
      error.error,
    )
  }
  if (error instanceof ResponseBodyError) {
    const { error: reason } = error
    if (reason === 'invalid_grant') return fault('signInExpired', 'Your session has expired. Sign in again.', reason)
    if (reason === 'temporarily_unavailable' || reason === 'server_error')
      return fault('unavailable', `The sign-in service is unavailable${said(reason)}. Try again later.`, reason)
    if (reason === 'slow_down' || reason === 'rate_limit_exceeded')
      return fault('rateLimited', `Too many sign-in attempts${said(reason)}. Wait a minute, then try again.`, reason)
    return fault(
      'signInExpired',
      `The service rejected the sign-in: ${reason}${said(error.error_description)}.`,
      reason,
    )
  }
  if (error instanceof WWWAuthenticateChallengeError) {
    return fault('signInExpired', 'The service rejected this app. Check the client ID and secret.', 'invalid_client')
  }
  return fault('badAnswer', 'Couldn’t verify the sign-in service’s response. Nothing was saved.')
}
