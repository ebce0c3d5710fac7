import { spawnSync } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readdir, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/** Returns the lines, from 1, that a rule of this project's linter, such as `clock(handed-on)`, finds in each file with `source`. */
export async function linesFound(
  rule: string,
  files: readonly string[],
  source: string,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const folder = await mkdtemp(join(tmpdir(), 'flightplan-lint-'))
  await mkdir(join(folder, 'scripts'))
  const plugins = (await readdir(join(root, 'scripts'))).filter((name) => name.endsWith('-rule.mjs'))
  for (const file of ['.oxlintrc.json', ...plugins.map((name) => `scripts/${name}`)])
    await copyFile(join(root, file), join(folder, file))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const file of files) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), source)
  }
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/oxlint'), ['--format', 'json', ...files], {
    cwd: folder,
    encoding: 'utf8',
  })
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { code: string; filename: string; labels: { span: { line: number } }[] }[]
  }
  const found = new Map<string, number[]>()
  for (const { code, filename, labels } of diagnostics)
    if (code === rule) found.set(filename, [...(found.get(filename) ?? []), labels[0]!.span.line])
  for (const lines of found.values()) lines.sort((a, b) => a - b)
  return found
}
