import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { expect } from 'vitest'

/**
 * Starts a process on Linux that has ended when `end` resolves, although the one that started it takes no note. `release` ends
 * that one, too.
 */
export async function startZombie(): Promise<{ pid: number; end: () => Promise<void>; release: () => void }> {
  const parent = spawn('sh', ['-c', 'sleep 600 & echo $!; exec sleep 600'])
  const read = (pid: number, file: string): string => readFileSync(`/proc/${pid}/${file}`, 'utf8')
  const [line] = (await once(parent.stdout, 'data')) as [Buffer]
  const pid = Number(line.toString())
  // A program that knows of no child has replaced the shell.
  await expect.poll(() => read(parent.pid!, 'comm')).toBe('sleep\n')
  const end = async (): Promise<void> => {
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => read(pid, 'stat')).toContain(') Z ')
  }
  return { pid, end, release: () => void parent.kill('SIGKILL') }
}
