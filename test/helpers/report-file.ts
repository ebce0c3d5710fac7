import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The cells of a line of a file. */
const cellsOf = (line: string): string[] =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
  )

/** The latest stored file's rows by header, of either service, as on disk. */
export async function newestFileRows(userData: string): Promise<Record<string, string>[]> {
  const folder = join(userData, 'reports', 'sandbox')
  const runs = (await readdir(folder, { withFileTypes: true })).flatMap((one) => (one.isDirectory() ? [one.name] : []))
  const run = runs.sort().at(-1)
  const lines = (await readFile(join(folder, run!, 'report.csv'), 'utf8')).split('\r\n')
  const begin = lines.indexOf('Report Fields') + 1
  const heads = cellsOf(lines[begin]!)
  const end = lines.findIndex((line) => line.startsWith('Grand Total:'))
  const rows = lines.slice(begin + 1, end < 0 ? undefined : end).filter((line) => line !== '')
  return rows.map((line) => {
    const cells = cellsOf(line)
    return Object.fromEntries(heads.map((head, at) => [head, cells[at]!]))
  })
}
