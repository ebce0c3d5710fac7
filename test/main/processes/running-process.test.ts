import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { isRunning, runningProcess } from '../../../src-main/processes/running-process'
import { startZombie } from '../../helpers/zombie'

it('names a process while it runs', async () => {
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 600_000)'])
  const named = runningProcess(child.pid!)!
  expect([isRunning(named), isRunning(String(child.pid))]).toEqual([true, true])
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect([isRunning(named), isRunning(String(child.pid)), isRunning('')]).toEqual([false, false, false])
})

it.runIf(process.platform === 'linux')('takes a later process with the same number for another one', () => {
  const [pid, start] = runningProcess(process.pid)!.split(' ')
  expect(isRunning(`${pid} ${Number(start) - 1}`)).toBe(false)
})

it.runIf(process.platform === 'linux')('has ended although no one has taken note of that', async () => {
  const { pid, end, release } = await startZombie()
  try {
    expect(isRunning(String(pid))).toBe(true)
    await end()
    expect(isRunning(String(pid))).toBe(false)
  } finally {
    release()
  }
})
