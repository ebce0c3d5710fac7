import { ipcMain, type BrowserWindow, type IpcMainInvokeEvent } from 'electron'
import type { Announcements, Answer } from '#shared/ipc/contract'
import { refusal, type Answering } from './answering'
import { answerTo } from './requesting-page'

const requestChannel = 'flightplan:request'
const announcementChannel = 'flightplan:announcement'

/** True if a call comes from the main frame of our own page. */
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

/** Answers the renderer's requests, once `answering` resolves. Checks the sender of every call first. */
export function answerRequests(answering: Promise<Answering>, origin: string): void {
  ipcMain.handle(requestChannel, async (event, name: unknown, args: unknown): Promise<Answer<unknown>> => {
    if (!isTrustedSender(event, origin)) return refusal('This page isn’t allowed to send requests.')
    if (typeof name !== 'string') return refusal('Unknown request.')
    const answer = await answering
    return answerTo(event.sender.id, () => answer(name, args))
  })
}

export function announce<N extends keyof Announcements>(
  window: BrowserWindow,
  name: N,
  payload: Announcements[N],
): void {
  if (!window.isDestroyed()) window.webContents.send(announcementChannel, name, payload)
}
