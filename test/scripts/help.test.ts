import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
/** `npm start` passes its options to the app. */
const commands = Object.entries(scripts).filter(([name, line]) => line.startsWith('node scripts/') && name !== 'start')

describe('every command', () => {
  it.each(commands)('%s explains itself with --help and does nothing else', (_name, line) => {
    const [, script, ...options] = line.split(' ')
    const { status, stdout } = spawnSync(process.execPath, [script!, ...options, '--help'], {
      cwd: root,
      encoding: 'utf8',
    })
    expect(stdout.trim().length).toBeGreaterThan(30)
    expect(stdout).not.toMatch(/^\s*at /m)
    expect(status).toBe(0)
  })
})

it.each(['crash', 'dist', 'lint', 'operations', 'planted', 'sizes', 'strings', 'structure'])(
  '%s refuses an option that it doesn’t know',
  (name) => {
    const ran = spawnSync(process.execPath, [`scripts/${name}.mjs`, '--bogus'], { cwd: root, encoding: 'utf8' })
    expect([ran.status, ran.stdout, ran.stderr]).toEqual([
      2,
      '',
      "Unknown option '--bogus'\n--help lists the options.\n",
    ])
  },
)
