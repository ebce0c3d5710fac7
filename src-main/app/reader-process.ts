import { utilityProcess } from 'electron'
import type { ReaderProcess } from '../exports/read-away'

/** The script that reads calendar files in a process of its own, also from inside a packaged app. */
export function forkReader(script: string): ReaderProcess {
  const child = utilityProcess.fork(script, [], { serviceName: 'Flightplan reader' })
  return {
    post: (order) => child.postMessage(order),
    onMessage: (listener) => void child.on('message', listener),
    onExit: (listener) => void child.once('exit', listener),
    kill: () => void child.kill(),
  }
}
