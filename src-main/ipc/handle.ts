import { ipcMain, type BrowserWindow, type IpcMainInvokeEvent } from 'electron'
import { FaultError, faultOf } from '#shared/fault'
import {
  isAnsweredAsText,
  requests,
  type Announcements,
  type Answer,
  type CheckedArguments,
  type RequestAnswers,
  type RequestName,
} from '#shared/ipc/contract'

export type Handlers = {
  [N in RequestName]: (args: CheckedArguments<N>) => RequestAnswers[N] | Promise<RequestAnswers[N]>
}

const requestChannel = 'flightplan:request'
const announcementChannel = 'flightplan:announcement'

/** Whether a call comes from the main frame of our own page. */
export function isTrustedSender(event: IpcMainInvokeEvent, origin: string): boolean {
  const frame = event.senderFrame
  if (!frame || frame.parent) return false
  try {
    const url = new URL(frame.url)
    return `${url.protocol}//${url.host}` === origin
  } catch {
    return false
  }
}

/** Answers the renderer: every call is checked for its sender, its name and its arguments. */
export function handleRequests(handlers: Handlers | Promise<Handlers>, origin: string): void {
  ipcMain.handle(requestChannel, async (event, name: unknown, args: unknown): Promise<Answer<unknown>> => {
    if (!isTrustedSender(event, origin)) return refusal('This page may not ask.')
    if (typeof name !== 'string' || !Object.hasOwn(requests, name)) return refusal('There is no such request.')
    return sent(name as RequestName, await answer(await handlers, name as RequestName, args))
  })
}

/** Parses the arguments and runs one handler; whatever it throws becomes a fault. */
export async function answer<N extends RequestName>(
  handlers: Handlers,
  name: N,
  args: unknown,
): Promise<Answer<RequestAnswers[N]>> {
  const parsed = requests[name].safeParse(args)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return refusal(`${name}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'cannot be read'}`)
  }
  try {
    return { ok: true, value: await handlers[name](parsed.data as never) }
  } catch (error) {
    if (!(error instanceof FaultError)) console.error(`${name} failed:`, traceOf(error))
    return { ok: false, fault: faultOf(error) }
  }
}

/** An answer as it crosses to the page. */
const sent = (name: RequestName, given: Answer<unknown>): Answer<unknown> =>
  given.ok && isAnsweredAsText(name) ? { ok: true, value: JSON.stringify(given.value) } : given

/** Where it went wrong, without the message: messages can hold titles and addresses, and logs must not. */
function traceOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return [error.name, ...frames.slice(0, 6)].join('\n')
}

const refusal = (message: string): { ok: false; fault: { code: 'invalid'; message: string } } => ({
  ok: false,
  fault: { code: 'invalid', message },
})

export function announce<N extends keyof Announcements>(
  window: BrowserWindow,
  name: N,
  payload: Announcements[N],
): void {
  if (!window.isDestroyed()) window.webContents.send(announcementChannel, name, payload)
}
