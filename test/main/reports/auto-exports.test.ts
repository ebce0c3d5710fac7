import { createHash } from 'node:crypto'
import { renameSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { FaultError } from '#shared/fault'
import type { ExportMany } from '#shared/reports/export-many'
import type { ExportRule, ExportRuleSeen } from '#shared/reports/export-rules'
import { runWriter } from '../../../src-main/app/export-run'
import { ManyExports } from '../../../src-main/reports/export-many'
import { ExportRules } from '../../../src-main/reports/export-rules'
import { AutoExports, type AutoExportsOptions } from '../../../src-main/reports/auto-exports'
import { Library } from '../../../src-main/reports/library'
import type { RunRecord } from '../../../src-main/reports/run-record'
import { ResultProcess } from '../../../src-main/tables/result-process'
import { forkSource, helperProcess } from '../../helpers/helper-process'
import { keptRun } from '../../helpers/kept-run'
import { clockFromMoment } from '../../helpers/moment'
import { smallDisk } from '../../helpers/small-disk'

const clock = clockFromMoment()
const accountId = 'sandbox'
let folder: string
let out: string
let library: Library
let results: ResultProcess
let desk: AutoExports
let announced: ExportRuleSeen[][]
let made = 0

const newProcess = (execArgv: readonly string[] = []): ResultProcess =>
  new ResultProcess(
    () => helperProcess(forkSource('src-main/tables/process.ts', execArgv)),
    () => undefined,
  )
beforeAll(() => {
  results = newProcess()
})
afterAll(() => results.close())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'export-rules-'))
  out = join(folder, 'out')
  await mkdir(out)
  library = new Library(join(folder, 'reports'))
  desk = newDesk()
})
afterEach(async () => {
  await desk.close()
  await rm(folder, { recursive: true })
})

function newDesk(more: Partial<AutoExportsOptions> = {}): AutoExports {
  announced = []
  const fonts = resolve(import.meta.dirname, '../../../node_modules/dejavu-fonts-ttf/ttf')
  return new AutoExports({
    library,
    clock,
    accountName: () => 'Sandbox',
    write: runWriter({ results, library, fonts, decimalComma: () => false, now: clock.now }),
    changed: (_account, rules) => void announced.push(rules),
    ...more,
  })
}

const rule = (more: Partial<ExportRule> = {}): ExportRule => ({
  service: 'trafficking',
  reportId: '7',
  format: 'csv',
  folder: out,
  name: '{report} {from} {to}',
  keep: 0,
  onlyIfChanged: false,
  onlyIfTotalsAgree: false,
  zone: 'UTC',
  ...more,
})

async function runKept(clicks: number, more: Partial<RunRecord> = {}): Promise<RunRecord> {
  const run = keptRun(Library.newId(clock.now() + ++made), {
    name: 'Weekly',
    asked: clock.now(),
    range: { from: '2026-11-01', to: '2026-11-07' },
    ...more,
  })
  await library.keep(run)
  await writeFile(library.fileOf(run), `Site,Clicks\r\nA,${clicks}\r\n"B, ""or"" not",2\r\n`)
  return run
}
const files = async (): Promise<string[]> => (await readdir(out)).sort()
const ends = async (): Promise<string[]> => (await desk.list(accountId))[0]!.exports.map(({ how }) => how)

describe('an automatic export', () => {
  it('exports each later file once and never overwrites another', async () => {
    await runKept(1)
    await desk.keep(accountId, rule())
    expect(await files()).toEqual([])
    await runKept(2)
    await writeFile(join(out, 'Weekly 2026-11-01 2026-11-07.csv'), 'someone’s')
    await Promise.all([desk.carryOut(accountId), desk.carryOut(accountId)])
    await runKept(3)
    await desk.carryOut(accountId)
    expect(await files()).toEqual(
      [2, 3, 1].map((at) => `Weekly 2026-11-01 2026-11-07${at > 1 ? ` (${at})` : ''}.csv`).sort(),
    )
    expect(await readFile(join(out, 'Weekly 2026-11-01 2026-11-07.csv'), 'utf8')).toBe('someone’s')
    expect(await readFile(join(out, 'Weekly 2026-11-01 2026-11-07 (3).csv'), 'utf8')).toBe(
      'Site,Clicks\r\nA,3\r\n"B, ""or"" not",2\r\n',
    )
    expect(await ends()).toEqual(['written', 'written'])
    expect(announced.at(-1)![0]!.exports.at(-1)!.path).toBe(join(out, 'Weekly 2026-11-01 2026-11-07 (3).csv'))
  })

  it("survives restarts: the next app does what's missing and repeats nothing", async () => {
    await desk.keep(accountId, rule({ format: 'raw' }))
    await runKept(1)
    await desk.close()
    desk = newDesk()
    await desk.carryOut(accountId)
    await desk.close()
    desk = newDesk()
    await desk.carryOut(accountId)
    expect(await files()).toHaveLength(1)
  })

  it('writes one file when killed between writing and recording', async () => {
    await desk.keep(accountId, rule())
    await runKept(1)
    // The disk accepts the file but not its record.
    const write = runWriter({ results, library, fonts: '', decimalComma: () => false, now: clock.now })
    const dying = newDesk({
      write: async (...args) => {
        await write(...args)
        return new Promise<never>(() => undefined)
      },
    })
    void dying.carryOut(accountId)
    while (!(await files()).includes('Weekly 2026-11-01 2026-11-07.csv'))
      await new Promise((next) => setTimeout(next, 5))
    desk = newDesk()
    await desk.carryOut(accountId)
    expect([await files(), await ends()]).toEqual([['Weekly 2026-11-01 2026-11-07.csv'], ['written']])
  })

  it('waits for a missing folder, keeps the file, and continues in another', async () => {
    await desk.keep(accountId, rule())
    await rename(out, `${out}-away`)
    const [first, second] = [await runKept(1), await runKept(2)]
    await desk.carryOut(accountId)
    expect(await ends()).toEqual(['waits', 'waits'])
    expect((await desk.list(accountId))[0]!.exports[0]!.words).toContain(
      `Can’t find the folder ${out}. The results are saved`,
    )
    expect(await desk.awaited(accountId)).toEqual(new Set([first.id, second.id]))
    await desk.close()
    desk = newDesk()
    await desk.carryOut(accountId)
    expect(await ends()).toEqual(['waits', 'waits'])
    await desk.keep(accountId, rule({ folder: `${out}-away` }))
    expect((await readdir(`${out}-away`)).sort()).toEqual([
      'Weekly 2026-11-01 2026-11-07 (2).csv',
      'Weekly 2026-11-01 2026-11-07.csv',
    ])
    expect([await ends(), (await desk.awaited(accountId)).size]).toEqual([['written', 'written'], 0])
  })

  it('exports a deleted and restored run once, whatever was exported between', async () => {
    await desk.keep(accountId, rule())
    const first = await runKept(1)
    await desk.carryOut(accountId)
    await library.putAside(first)
    await runKept(2)
    await desk.carryOut(accountId)
    await library.bringBack(first)
    await desk.carryOut(accountId)
    expect([(await files()).length, await ends()]).toEqual([2, ['written', 'written']])
    // Once permanently deleted, it's forgotten.
    await library.remove(first)
    await runKept(3)
    await desk.carryOut(accountId)
    expect((await desk.list(accountId))[0]!.exports.map(({ runId }) => runId)).not.toContain(first.id)
  })

  it('skips an older file, even if it was deleted at the time', async () => {
    const first = await runKept(1)
    await library.putAside(first)
    await desk.keep(accountId, rule())
    await runKept(2)
    await desk.carryOut(accountId)
    await library.bringBack(first)
    await desk.carryOut(accountId)
    expect([await files(), await ends()]).toEqual([['Weekly 2026-11-01 2026-11-07.csv'], ['written']])
  })

  it("stops waiting for a deleted run and resumes when it's restored", async () => {
    await desk.keep(accountId, rule())
    await rename(out, `${out}-away`)
    const first = await runKept(1)
    await desk.carryOut(accountId)
    await library.putAside(first)
    await desk.tellAgain(accountId)
    expect([announced.at(-1)![0]!.exports, await ends()]).toEqual([[], []])
    await library.bringBack(first)
    await rename(`${out}-away`, out)
    await desk.carryOut(accountId)
    expect([(await files()).length, await ends()]).toEqual([1, ['written']])
  })

  it('retries after a failed write and leaves no partial file', async () => {
    await desk.keep(accountId, rule())
    await desk.close()
    let full = true
    const write = runWriter({ results, library, fonts: '', decimalComma: () => false, now: clock.now })
    desk = newDesk({
      write: (...args) =>
        full ? Promise.reject(new FaultError({ code: 'storage', message: 'The disk is full.' })) : write(...args),
    })
    await runKept(1)
    await desk.carryOut(accountId)
    expect([await files(), await ends()]).toEqual([[], ['waits']])
    full = false
    await desk.carryOut(accountId)
    expect([(await files()).length, await ends()]).toEqual([1, ['written']])
  })

  it('skips unchanged files and ones with mismatched totals', async () => {
    await desk.keep(accountId, rule({ onlyIfChanged: true, onlyIfTotalsAgree: true }))
    for (const clicks of [1, 1, 2]) await runKept(clicks)
    await runKept(9, { totalsAgree: false })
    await desk.carryOut(accountId)
    expect(await ends()).toEqual(['written', 'same', 'written', 'doubted'])
    expect(await files()).toHaveLength(2)
  })

  it('keeps the configured number of files, and ones you changed', async () => {
    await desk.keep(accountId, rule({ keep: 2, format: 'raw', name: 'Weekly' }))
    await runKept(1)
    await desk.carryOut(accountId)
    await writeFile(join(out, 'Weekly.csv'), 'a note of mine')
    for (const clicks of [2, 3, 4]) await runKept(clicks)
    await desk.carryOut(accountId)
    expect(await files()).toEqual(['Weekly (3).csv', 'Weekly (4).csv', 'Weekly.csv'])
    expect(await readFile(join(out, 'Weekly.csv'), 'utf8')).toBe('a note of mine')
  })

  it.each(['xlsx', 'json', 'pdf'] as const)('writes the result as %s', async (format) => {
    const shape = { filters: [], group: ['Site'], sort: [], columns: ['Clicks'] }
    await desk.keep(accountId, rule({ format, shape, name: '{report} {view}' }))
    await runKept(4)
    await desk.carryOut(accountId)
    expect([await files(), await ends()]).toEqual([[`Weekly by Site.${format}`], ['written']])
  })

  it("in raw format has the service's bytes", async () => {
    await desk.keep(accountId, rule({ format: 'raw' }))
    const run = await runKept(1)
    await desk.carryOut(accountId)
    const hash = async (path: string): Promise<string> =>
      createHash('sha256')
        .update(await readFile(path))
        .digest('hex')
    expect(await hash(join(out, (await files())[0]!))).toBe(await hash(library.fileOf(run)))
  })

  it("stops when deleted, and an unreadable settings file isn't overwritten", async () => {
    await desk.keep(accountId, rule())
    expect(await desk.remove(accountId, rule())).toEqual([])
    await runKept(1)
    await desk.carryOut(accountId)
    expect(await files()).toEqual([])
    const path = library.accountFile(accountId, 'export-rules.json')
    await writeFile(path, '{"version":2}')
    await expect(desk.keep(accountId, rule())).rejects.toThrow('Couldn’t read')
    expect(await readFile(path, 'utf8')).toBe('{"version":2}')
    await expect(new ExportRules(library).read(accountId)).rejects.toThrow(path)
  })
})

describe('exporting several runs', () => {
  const wanted = (runs: readonly RunRecord[], more: Partial<ExportMany> = {}): ExportMany => ({
    accountId,
    runIds: runs.map(({ id }) => id),
    format: 'csv',
    folder: out,
    template: '{report}',
    zone: 'UTC',
    ...more,
  })
  const many = (
    onprogress: (progress: { done: number; of: number; name: string }) => void = () => undefined,
    by = results,
  ) =>
    new ManyExports({
      library,
      accountName: () => 'Sandbox',
      write: runWriter({ results: by, library, fonts: '', decimalComma: () => false, now: clock.now }),
      onprogress,
    })

  it('gives each file its own name and reports a missing one', async () => {
    const runs = [await runKept(1), await runKept(2), await runKept(3)]
    await writeFile(join(out, 'Weekly.csv'), 'someone’s')
    await rm(library.fileOf(runs[1]!))
    const outcomes = await many().export(wanted(runs))
    expect(outcomes.map(({ how, path }) => [how, path && path.slice(out.length + 1)])).toEqual([
      ['written', 'Weekly (2).csv'],
      ['failed', undefined],
      ['written', 'Weekly (3).csv'],
    ])
    expect(outcomes[1]!.words).toContain('no longer on this computer')
    expect(await readFile(join(out, 'Weekly.csv'), 'utf8')).toBe('someone’s')
    expect(await readFile(join(out, 'Weekly (3).csv'), 'utf8')).toContain('A,3')
  })

  it('can be stopped, keeps complete files, and names the others', async () => {
    const runs = [await runKept(1), await runKept(2), await runKept(3)]
    const exports = many(({ done }) => {
      if (done === 1) exports.stop()
    })
    const outcomes = await exports.export(wanted(runs))
    expect(outcomes.map(({ how }) => how)).toEqual(['written', 'notReached', 'notReached'])
    expect(await files()).toEqual(['Weekly.csv'])
    // A canceled export doesn't cancel the next.
    expect((await exports.export(wanted(runs.slice(0, 1))))[0]!.how).toBe('written')
  })

  it("fails without its folder, and doesn't run twice at once", async () => {
    const run = await runKept(1)
    await expect(many().export(wanted([run], { folder: join(out, 'gone') }))).rejects.toMatchObject({
      fault: { code: 'notFound' },
    })
    const exports = many()
    const first = exports.export(wanted([run]))
    await expect(exports.export(wanted([run]))).rejects.toThrow('Another export is running')
    expect((await first)[0]!.how).toBe('written')
  })

  it('explains a folder that vanishes or a dangling link, and leaves nothing', async () => {
    const runs = [await runKept(1), await runKept(2), await runKept(3)]
    const exports = many(({ done }) => {
      if (done === 1) renameSync(out, `${out} away`)
    })
    const outcomes = await exports.export(wanted(runs))
    expect(outcomes.map(({ how }) => how)).toEqual(['written', 'failed', 'failed'])
    expect(outcomes[1]!.words).toBe(
      'Not exported. This location no longer exists. Nothing was saved, and any existing file is unchanged. Restore the folder, or choose another location.',
    )
    expect(await readdir(`${out} away`)).toEqual(['Weekly.csv'])
    await symlink(join(folder, 'nowhere'), out)
    await expect(many().export(wanted(runs))).rejects.toMatchObject({ fault: { code: 'notFound' } })
    await rm(out)
    await symlink(`${out} away`, out)
    expect((await many().export(wanted(runs.slice(0, 1))))[0]).toMatchObject({
      how: 'written',
      path: join(out, 'Weekly (2).csv'),
    })
    await writeFile(join(folder, 'file'), '')
    await expect(many().export(wanted(runs, { folder: join(folder, 'file') }))).rejects.toThrow('is no longer a folder')
    await expect(many().export(wanted(runs, { folder: join(folder, 'file', 'in') }))).rejects.toThrow(
      'Can’t find the folder',
    )
  })

  it('explains a full or read-only disk, and keeps the files that fit', async () => {
    const disk = smallDisk(out, 64 * 1024)
    const limited = newProcess(disk.execArgv)
    try {
      const [small, large, another] = [await runKept(1), await runKept(2), await runKept(3)]
      await writeFile(library.fileOf(large), `Site,Clicks\r\n${'a long name of a site,1\r\n'.repeat(10_000)}`)
      for (const format of ['csv', 'xlsx', 'json', 'ndjson', 'tsv'] as const) {
        const outcomes = await many(undefined, limited).export(
          wanted([small, large, another], { format, template: `{report} ${format}` }),
        )
        expect(
          outcomes.map(({ how }) => how),
          format,
        ).toEqual(['written', 'failed', 'written'])
        expect(outcomes[1]!.words).toBe(
          'Not exported. Your disk is full. Nothing was saved, and any existing file is unchanged. Free up disk space, then try again.',
        )
      }
      expect((await files()).filter((name) => name.startsWith('.'))).toEqual([])
      disk.readOnly()
      expect(await many(undefined, limited).export(wanted([small]))).toEqual([
        {
          ...{ runId: small.id, how: 'failed' },
          words:
            'Not exported. This disk is read-only. Nothing was saved, and any existing file is unchanged. Make the disk writable, or choose another location.',
        },
      ])
    } finally {
      await limited.close()
      disk.remove()
    }
  })

  it.each([
    ['CON', 'Flightplan CON'],
    ['../../{report}/x', 'Weekly x'],
    ['a:b*c?"<>|\u0000\u202etxt', 'a b c txt'],
    ['  .{report}. . ', 'Weekly'],
    ['{view}', 'Flightplan'],
    ['🛫'.repeat(100), '🛫'.repeat(50)],
    ['é'.normalize('NFD').repeat(100), 'é'.normalize('NFC').repeat(100)],
  ])('named %j stays in the folder under a portable name', async (template, name) => {
    const outcomes = await many().export(wanted([await runKept(1), await runKept(2)], { template }))
    expect(outcomes.map(({ path }) => path)).toEqual([join(out, `${name}.csv`), join(out, `${name} (2).csv`)])
  })
})
