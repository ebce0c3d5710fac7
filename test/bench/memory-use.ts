import { readFileSync } from 'node:fs'

/** Proportional set size of a process and everything below it, in MB. Linux only. */
export async function memoryOf(pid: number): Promise<number> {
  // Collects the start's garbage first, as would happen within a minute.
  const readings: number[] = []
  for (let round = 0; round < 4; round++) {
    await new Promise((done) => setTimeout(done, 2_000))
    readings.push(treeOf(pid).reduce((sum, one) => sum + ofProcess(one), 0))
  }
  return Math.min(...readings) / 1_024
}

function ofProcess(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0)
  } catch {
    // It has already exited.
    return 0
  }
}

function treeOf(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/).filter(Boolean)
    return [pid, ...children.flatMap((child) => treeOf(Number(child)))]
  } catch {
    return []
  }
}
