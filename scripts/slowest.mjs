// Prints for `npm test -- --slowest N`: the slowest files and tests, app starts, and waiting time by file.
import { relative } from 'node:path'

/**
 * @param {{ testResults: { name: string, startTime: number, endTime: number, assertionResults: { fullName: string, duration?: number }[] }[] }} report of vitest
 * @param {{ kind: string, file: string, ms: number, busy?: number, processor?: number }[]} measures noted by test/helpers/measures.ts
 * @param {number} count
 * @param {string} root
 * @returns {string[]} lines
 */
export function slowestOf({ testResults }, measures, count, root) {
  const fileOf = (name) => relative(root, name)
  const launches = measures.filter(({ kind }) => kind === 'launch')
  const spans = new Map(measures.filter(({ kind }) => kind === 'file').map((span) => [span.file, span]))
  const files = testResults.map(({ name, startTime, endTime }) => {
    const file = fileOf(name)
    const started = launches.filter((launch) => launch.file === file)
    const span = spans.get(file)
    return {
      file,
      ms: span?.ms ?? endTime - startTime,
      waiting: span?.busy === undefined ? undefined : Math.max(0, span.ms - span.busy),
      processor: span?.processor,
      launches: started.length,
    }
  })
  const tests = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, duration }) => ({ name: `${fileOf(name)} > ${fullName}`, ms: duration ?? 0 })),
  )
  const top = (list) => [...list].sort((a, b) => b.ms - a.ms).slice(0, count)
  const sum = (numbers) => numbers.reduce((total, number) => total + number, 0)
  const optional = (ms) => (ms === undefined ? ''.padStart(7) : seconds(ms))
  const lines = [`Slowest files (seconds, of these waiting, processor time with child processes, app starts):`]
  for (const { file, ms, waiting, processor, launches: starts } of top(files))
    lines.push(`${seconds(ms)} ${optional(waiting)} ${optional(processor)} ${String(starts).padStart(4)}  ${file}`)
  lines.push('Processor time by folder (seconds):')
  for (const [folder, ms] of sumsByFolder(files)) lines.push(`${seconds(ms)}  ${folder}`)
  lines.push('Slowest tests (seconds):')
  for (const { name, ms } of top(tests)) lines.push(`${seconds(ms)}  ${name}`)
  lines.push(
    `${files.length} files, ${tests.length} tests, ${seconds(sum(files.map(({ ms }) => ms))).trim()} s in files, ` +
      `of these ${seconds(sum(files.map(({ waiting }) => waiting ?? 0))).trim()} s waiting. ` +
      `${launches.length} app starts took ${seconds(sum(launches.map(({ ms }) => ms))).trim()} s`,
  )
  return lines
}

/** Sums of processor time, largest first, of the first two folders of each file. */
function sumsByFolder(files) {
  const sums = new Map()
  for (const { file, processor } of files) {
    const folder = file.split('/').slice(0, 2).join('/')
    if (processor !== undefined) sums.set(folder, (sums.get(folder) ?? 0) + processor)
  }
  return [...sums].sort(([, a], [, b]) => b - a)
}

const seconds = (ms) => (ms / 1000).toFixed(1).padStart(7)
