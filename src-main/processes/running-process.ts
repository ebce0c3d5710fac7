import { existsSync, readFileSync } from 'node:fs'

/** True if a process with a name of `runningProcess`, or only a process ID, is still running. */
export function isRunning(named: string): boolean {
  const [pid] = named.split(' ')
  const now = Number(pid) > 0 ? runningProcess(Number(pid)) : undefined
  return now !== undefined && (now === named || pid === named)
}

/**
 * Name of a running process: its process ID, and on Linux also its start time, because IDs are reused. Undefined if it has
 * ended. On Linux, an ended process keeps its ID until its parent notices.
 */
export function runningProcess(pid: number): string | undefined {
  if (!existsSync('/proc/self/stat')) return answers(pid) ? String(pid) : undefined
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name before it, in parentheses, may contain anything.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' || state === 'X' ? undefined : `${pid} ${fields[18]}`
  } catch {
    // The system may hide processes of other users.
    return answers(pid) ? String(pid) : undefined
  }
}

function answers(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
