import { contextBridge, ipcRenderer } from 'electron'
import type { Announcements, ExposedBridge, RequestArguments, RequestName, SentAnswer } from '#shared/ipc/contract'

const requestChannel = 'flightplan:request'
const announcementChannel = 'flightplan:announcement'

type Listener = (payload: unknown) => void
const listeners = new Map<string, Set<Listener>>()
ipcRenderer.on(announcementChannel, (_event, name: string, payload: unknown) => {
  for (const listener of listeners.get(name) ?? []) listener(payload)
})

const offset = process.argv.find((argument) => argument.startsWith('--clock-offset='))

const bridge: ExposedBridge = {
  clockOffset: Number(offset?.slice('--clock-offset='.length) ?? 0),
  follows: process.argv.includes('--flightplan-follows'),
  safeMode: process.argv.includes('--flightplan-safe-mode'),
  ask: <N extends RequestName>(name: N, args: RequestArguments<N>) =>
    ipcRenderer.invoke(requestChannel, name, args) as Promise<SentAnswer<N>>,
  on: <N extends keyof Announcements>(name: N, listener: (payload: Announcements[N]) => void) => {
    const known = listeners.get(name) ?? new Set()
    listeners.set(name, known.add(listener as Listener))
    return () => void known.delete(listener as Listener)
  },
}

contextBridge.exposeInMainWorld('flightplan', bridge)
