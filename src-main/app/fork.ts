import { utilityProcess } from 'electron'
import type { ChildProcess } from '../ipc/child-process'
import { helperEnvironment } from './helper-env'

/** Runs a built script in its own process, also from inside a packaged app. */
export function forkScript(script: string, serviceName: string): ChildProcess {
  const child = utilityProcess.fork(script, [], { serviceName, env: helperEnvironment(process.env) })
  return {
    post: (message) => child.postMessage(message),
    onMessage: (listener) => void child.on('message', listener),
    onExit: (listener) => void child.once('exit', listener),
    kill: () => void child.kill(),
  }
}
