/** True if a host name is the loopback address. */
export function isLoopback(hostname: string): boolean {
  return hostname === '127.0.0.1' || hostname === 'localhost' || hostname === '[::1]' || hostname === '::1'
}

/**
 * Checks a service's base address: TLS, or plain HTTP on loopback only, without user name, query, and fragment.
 * @throws RangeError with a message for users
 */
export function checkedBaseUrl(text: string): URL {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw new RangeError(`Invalid address: ${text}`)
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    throw new RangeError(`Use https, or http on this computer only: ${url.host}`)
  }
  // Even empty, these two would swallow the paths that are added.
  if (url.username !== '' || url.password !== '' || /[?#]/.test(url.href)) {
    throw new RangeError(`A service address can’t include a user name, query, or fragment: ${url.host}`)
  }
  return url
}
