import type { Bridge } from '#shared/ipc/contract'

/** Errors of a page that main learns about. More would only repeat what the first ones say. */
const maxErrors = 50

/** Reports unexpected errors of the page to main, which logs where they happened. */
export function reportErrors(page: Window, bridge: Bridge): void {
  let reported = 0
  const report = (error: unknown): void => {
    if (!(error instanceof Error) || ++reported > maxErrors) return
    const { name, stack = '' } = error
    void bridge.ask('diagnostics/error', { name: name.slice(0, 200), stack: stack.slice(0, 20_000) })
  }
  page.addEventListener('error', ({ error }) => report(error))
  page.addEventListener('unhandledrejection', ({ reason }) => report(reason))
}
