import { readFileSync } from 'node:fs'

/** What `times` and `/proc` count in on Linux: hundredths of a second. */
const msPerTick = 10

/** Milliseconds of processor time that a process and all its descendants used so far, as far as the system reports it. */
export function processorTime(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name before it may contain spaces.
    const numbers = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    // Own time, and that of children that have ended: user and system.
    const own = [11, 12, 13, 14].reduce((total, at) => total + numbers[at]!, 0) * msPerTick
    return childrenOf(pid).reduce((total, child) => total + processorTime(child), own)
  } catch {
    // It has ended, or the system has no such files.
    return 0
  }
}

/** The direct children of a process, as its main thread started them. */
function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/).filter(Boolean).map(Number)
}
