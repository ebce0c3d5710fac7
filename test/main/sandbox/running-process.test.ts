import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { isRunning, runningProcess } from '../../../src-main/sandbox/running-process'

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
  const parent = spawn('sh', ['-c', 'sleep 600 & echo $!; exec sleep 600'])
  const read = (pid: number, file: string): string => readFileSync(`/proc/${pid}/${file}`, 'utf8')
  try {
    const [line] = (await once(parent.stdout, 'data')) as [Buffer]
    const pid = Number(line.toString())
    // A program that knows of no child has replaced the shell.
    await expect.poll(() => read(parent.pid!, 'comm')).toBe('sleep\n')
    expect(isRunning(String(pid))).toBe(true)
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => read(pid, 'stat')).toContain(') Z ')
    expect(isRunning(String(pid))).toBe(false)
  } finally {
    parent.kill('SIGKILL')
  }
})
