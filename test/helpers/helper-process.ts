import { fork, type ChildProcess as NodeProcess } from 'node:child_process'
import { afterEach } from 'vitest'
import type { ChildProcess } from '../../src-main/ipc/child-process'
import { bundled } from './bundled'

/** A Node process with the app's helper process interface. */
export const helperProcess = (child: NodeProcess): ChildProcess => ({
  post: (message) => void child.send(message),
  onMessage: (listener) => void child.on('message', listener),
  onExit: (listener) => void child.once('exit', listener),
  kill: () => void child.kill('SIGKILL'),
})

/**
 * Starts a script from its sources in a Node process. The path is relative to the project's root, as `test:near` follows it.
 */
export const forkSource = (script: string, execArgv: readonly string[] = []): NodeProcess =>
  fork(bundled(script), { execArgv: [...execArgv], stdio: 'ignore' })

/** Returns a function that starts a script as a helper process. Each test waits for its processes to exit. */
export function helperProcesses(script: string): () => ChildProcess {
  const ended: Promise<unknown>[] = []
  afterEach(() => Promise.all(ended.splice(0)))
  return () => {
    const child = forkSource(script)
    ended.push(new Promise((done) => child.once('exit', done)))
    return helperProcess(child)
  }
}
