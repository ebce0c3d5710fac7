import { spawn } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readFile, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FilesMoving } from '#shared/reports/report-files'
import { destination } from '../../../src-main/reports/destination'
import { Library } from '../../../src-main/reports/library'
import { FileMover } from '../../../src-main/reports/move-files'
import { ReportFolder } from '../../../src-main/reports/report-folder'
import type { RunRecord } from '../../../src-main/reports/run-record'
import { bundled } from '../../helpers/bundled'
import { keptRun } from '../../helpers/kept-run'
import { drawn } from '../../helpers/ring'

// Storage of report files, with real folders, files, and kills.

const root = resolve(import.meta.dirname, '../../..')
let home: string
let userData: string
let folder: ReportFolder
let library: Library
let mover: FileMover
let progress: FilesMoving[]

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'report-folder-'))
  userData = join(home, 'data')
  await mkdir(userData)
  await restart()
})
afterEach(async () => {
  await chmod(home, 0o700)
  await rm(home, { recursive: true })
})

/** Reloads from disk, as at a start. */
async function restart(): Promise<void> {
  progress = []
  folder = await ReportFolder.open(userData)
  library = new Library(folder.usual, folder)
  mover = new FileMover({
    folder,
    library,
    whileHeld: (work) => work(),
    quietly: (work) => work(),
    onprogress: (moving) => void progress.push(moving),
  })
}
const record = (id: string, more: Partial<RunRecord> = {}): RunRecord =>
  keptRun(id, { accountId: 'a.b@example.com', ...more })
const textOf = (id: string): string => `rows of ${id}\n`.repeat(1_000)
async function keep(id: string, more: Partial<RunRecord> = {}): Promise<RunRecord> {
  const run = record(id, more)
  await library.keep(run)
  await library.ready(run)
  await writeFile(run.state === 'kept' ? library.fileOf(run) : library.partOf(run, 0), textOf(id))
  return run
}
async function made(name: string): Promise<string> {
  const path = join(home, name)
  await mkdir(path, { recursive: true })
  return path
}
const moveTo = async (chosen: string): Promise<void> => mover.moveTo(await destination(chosen, folder, userData))
/** Every run with its complete file, as read when opened. */
async function readAll(): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const run of await library.runs('a.b@example.com')) found[run.id] = await readFile(library.fileOf(run), 'utf8')
  return found
}
const filesIn = async (path: string): Promise<string[]> => {
  const all = await readdir(path, { recursive: true, withFileTypes: true })
  return all.flatMap((one) => (one.isFile() ? join(one.path, one.name).slice(path.length + 1) : [])).sort()
}
const why = (error: unknown): Promise<string> =>
  Promise.resolve(error).then(
    () => 'nothing',
    (fault: Error) => fault.message,
  )

describe('report files', () => {
  it('are stored with their runs by default and in older versions', async () => {
    await keep('1')
    expect(await filesIn(join(userData, 'reports'))).toEqual([
      'a%2Eb%40example%2Ecom/1/report.csv',
      'a%2Eb%40example%2Ecom/1/run.json',
    ])
    expect(await mover.state()).toMatchObject({ folder: join(userData, 'reports'), usual: true, keep: 10, files: 1 })
  })

  it('move to a folder and back, including trashed and partial ones', async () => {
    const runs = [await keep('1'), await keep('2'), await keep('3', { state: 'stopped' })]
    await library.putAside(runs[1]!)
    const to = await made('Reports')
    await moveTo(to)
    expect(await filesIn(to)).toEqual([
      '.flightplan-report-files',
      ...['1/report.csv', '2/report.csv', '3/0.part'].map((name) => `a%2Eb%40example%2Ecom/${name}`),
    ])
    expect((await filesIn(userData)).filter((name) => !name.endsWith('run.json'))).toEqual(['report-files.json'])
    expect(progress.at(-1)).toEqual({ to, done: 3 * textOf('1').length, of: 3 * textOf('1').length })
    expect(await mover.state()).toMatchObject({ folder: to, usual: false, files: 2, elsewhere: [] })
    await restart()
    expect(await library.bringBack(runs[1]!)).toEqual(runs[1])
    expect(await library.hasPart(runs[2]!, 0)).toBe(true)
    await library.putAside(runs[1]!)

    await mover.moveTo(folder.usual)
    expect(await filesIn(to)).toEqual([])
    expect(await library.bringBack(runs[1]!)).toEqual(runs[1])
    await library.remove(runs[2]!)
    expect(await readAll()).toEqual({ 1: textOf('1'), 2: textOf('2') })
  })

  it('move correctly if trashed, deleted, or of a removed account', async () => {
    const to = await made('Reports')
    await moveTo(to)
    const [one, two, three] = [await keep('1'), await keep('2'), await keep('3')]
    expect(await filesIn(to)).toHaveLength(4)
    await library.remove(one)
    await library.putAside(two)
    await library.clear('a.b@example.com')
    expect(await filesIn(to)).toEqual(['.flightplan-report-files', 'a%2Eb%40example%2Ecom/3/report.csv'])
    await library.removeAccount(three.accountId)
    expect(await filesIn(to)).toEqual(['.flightplan-report-files'])
  })

  it('stay in place if the move is stopped', async () => {
    await keep('1')
    await keep('2')
    const to = await made('Reports')
    mover = new FileMover({
      folder,
      library,
      whileHeld: (work) => work(),
      quietly: (work) => work(),
      onprogress: ({ done }) => {
        if (done > 0) mover.stop()
      },
    })
    await expect(moveTo(to)).rejects.toMatchObject({ fault: { code: 'aborted' } })
    expect(await filesIn(to)).toEqual([])
    expect(await readAll()).toEqual({ 1: textOf('1'), 2: textOf('2') })
    expect(await mover.state()).toMatchObject({ usual: true, elsewhere: [] })
  })

  it("don't move while another process runs a report, and none starts during a move", async () => {
    const run = await keep('1')
    const other = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'])
    try {
      await writeFile(join(library.folderOf(run), 'under-way'), `${other.pid} abc`)
      await expect(moveTo(await made('Reports'))).rejects.toMatchObject({ fault: { code: 'conflict' } })
      await rm(join(library.folderOf(run), 'under-way'))
      await writeFile(join(library.folder, 'under-way'), `${other.pid} abc`)
      await expect(library.hold(run)).rejects.toMatchObject({ fault: { code: 'conflict' } })
    } finally {
      const gone = new Promise((done) => other.once('exit', done))
      other.kill('SIGKILL')
      await gone
    }
    // Left by a dead process whose ID is reused.
    await writeFile(join(library.folder, 'under-way'), `${process.ppid} abc`)
    await expect(library.hold(run)).rejects.toMatchObject({ fault: { code: 'conflict' } })
    await mover.begin()
    await (
      await library.hold(run)
    )()
    await moveTo(await made('Reports'))
    expect(await readAll()).toEqual({ 1: textOf('1') })
  })

  it('leave other files in the folder alone, whatever their names', async () => {
    const to = await made('Reports')
    await keep('1')
    await moveTo(to)
    await made('Reports/2026/October')
    await made('Reports/Empty/Also empty')
    await writeFile(join(to, '2026/October/report.csv'), 'their own')
    await moveTo(await made('Other'))
    expect(await readAll()).toEqual({ 1: textOf('1') })
    expect(await filesIn(to)).toEqual(['2026/October/report.csv'])
    expect((await readdir(to)).sort()).toEqual(['2026', 'Empty'])
    expect(await readFile(join(to, '2026/October/report.csv'), 'utf8')).toBe('their own')
  })

  it('are counted separately from a foreign folder', async () => {
    const { accountId } = await keep('1')
    await mkdir(join(library.folder, '100%'))
    await mkdir(join(library.folder, 'of someone'))
    expect(await library.accounts()).toEqual([accountId])
    expect(await mover.state()).toMatchObject({ files: 1 })
  })
})

describe('a kill during a move', () => {
  const moveIn = (data: string, to: string, at: number): Promise<{ out: string; signal: string | null }> => {
    const child = spawn(process.execPath, [bundled('test/helpers/move-report-files.ts'), data, to, String(at)], {
      cwd: root,
    })
    let out = ''
    child.stdout.on('data', (part: Buffer) => (out += part.toString()))
    child.stderr.on('data', (part: Buffer) => (out += part.toString()))
    return new Promise((done) => child.once('close', (_code, signal) => done({ out, signal })))
  }
  /** The state after an earlier move, with a run of each type. */
  async function prepared(): Promise<void> {
    await restart()
    await keep('1')
    await library.putAside(await keep('2'))
  }

  it('before any disk change loses no file and leaves none behind', { timeout: 900_000 }, async () => {
    await prepared()
    const whole = await moveIn(userData, await made('whole'), 0)
    const changes = Number(whole.out)
    expect(changes).toBeGreaterThan(20)
    for (const at of drawn(
      Array.from({ length: changes }, (_, before) => before + 1),
      4,
    )) {
      userData = await made(`data ${at}`)
      await prepared()
      const to = await made(`to ${at}`)
      const { signal, out } = await moveIn(userData, to, at)
      expect([at, signal, out]).toEqual([at, 'SIGKILL', ''])
      await restart()
      await mover.settle()
      await library.bringBack(record('2'))
      expect([at, await readAll()]).toEqual([at, { 1: textOf('1'), 2: textOf('2') }])
      const { folder: kept, elsewhere } = await mover.state()
      const other = kept === to ? join(userData, 'reports') : to
      const reports = (await filesIn(other)).filter((name) => name.endsWith('report.csv'))
      expect([at, elsewhere, reports]).toEqual([at, [], []])
      await mover.begin()
      const halves = [...(await filesIn(to)), ...(await filesIn(join(userData, 'reports')))]
      expect([at, halves.filter((name) => name.includes('.part'))]).toEqual([at, []])
      // A second try completes.
      if (kept !== to) await moveTo(to)
      expect([at, await readAll()]).toEqual([at, { 1: textOf('1'), 2: textOf('2') }])
    }
  })
})

describe('a missing folder', () => {
  it("keeps new files pending, isn't recreated, and works again once it's back", async () => {
    const to = await made('disk/Reports')
    await keep('1')
    await moveTo(to)
    await rename(join(home, 'disk'), join(home, 'unplugged'))
    const next = record('2')
    await library.keep(next)
    const away = `Can’t find the folder ${to}.`
    await expect(library.ready(next)).rejects.toMatchObject({ fault: { code: 'storage', reason: 'folderAway' } })
    expect(await why(library.need())).toBe(
      `${away} New results wait until it’s available again or you choose another folder.`,
    )
    expect(await mover.state()).toMatchObject({ folder: to, away, files: 0 })
    expect((await library.runs('a.b@example.com')).map(({ id }) => id)).toEqual(['2', '1'])
    expect(await library.hasFile(record('1'))).toBe(false)
    // Systems leave a folder at the mount point.
    await mkdir(to, { recursive: true })
    expect((await mover.state()).away).toContain('has no report files')
    await expect(library.ready(next)).rejects.toMatchObject({ fault: { reason: 'folderAway' } })
    expect(await readdir(to)).toEqual([])
    await rm(join(home, 'disk'), { recursive: true })
    await rename(join(home, 'unplugged'), join(home, 'disk'))
    await library.ready(next)
    await writeFile(library.fileOf(next), textOf('2'))
    expect(await readAll()).toEqual({ 1: textOf('1'), 2: textOf('2') })
  })

  it("can be replaced, and its files follow once it's reachable", async () => {
    const to = await made('disk/Reports')
    await keep('1')
    const gone = await keep('00000000000002-0000000a')
    await moveTo(to)
    await rename(join(home, 'disk'), join(home, 'unplugged'))
    const other = await made('Other')
    await moveTo(other)
    await keep('3')
    expect(await mover.state()).toMatchObject({ folder: other, files: 1, elsewhere: [to] })
    await library.remove(gone)
    await restart()
    await mover.settle()
    expect((await mover.state()).elsewhere).toEqual([to])
    await rename(join(home, 'unplugged'), join(home, 'disk'))
    await mover.settle()
    expect(await readAll()).toEqual({ 1: textOf('1'), 3: textOf('3') })
    expect([await filesIn(to), (await mover.state()).elsewhere]).toEqual([[], []])
  })

  it.each(['a link to the new folder', 'the new folder by another name'])(
    'that is then %s loses no file',
    async (how) => {
      const to = await made('disk/Reports')
      await keep('1')
      await moveTo(to)
      await rename(join(home, 'disk'), join(home, 'unplugged'))
      const other = await made('Other')
      await moveTo(other)
      await keep('2')
      await mkdir(join(home, 'disk'))
      if (how.startsWith('a link')) await symlink(other, to)
      // One disk mounted twice looks like two, with the same content.
      else await cp(other, to, { recursive: true })
      const before = await filesIn(to)
      await restart()
      await mover.settle()
      expect(await filesIn(to)).toEqual(before)
      expect(await readFile(library.fileOf(record('2')), 'utf8')).toBe(textOf('2'))
      expect(await mover.state()).toMatchObject({ folder: other, files: 1, elsewhere: [] })
      expect((await mover.state()).away).toBeUndefined()
    },
  )

  it('that was renamed by hand is recognized', async () => {
    const to = await made('Reports')
    await keep('1')
    await moveTo(to)
    await rename(to, join(home, 'Moved'))
    await moveTo(join(home, 'Moved'))
    expect(await readAll()).toEqual({ 1: textOf('1') })
    expect(await mover.state()).toMatchObject({ folder: join(home, 'Moved'), elsewhere: [] })
  })

  it('deletes the files of an account removed while it was gone', async () => {
    const to = await made('disk/Reports')
    const run = await keep('1')
    await moveTo(to)
    await rename(join(home, 'disk'), join(home, 'unplugged'))
    await library.removeAccount(run.accountId)
    await rename(join(home, 'unplugged'), join(home, 'disk'))
    await restart()
    await mover.settle()
    expect(await filesIn(to)).toEqual(['.flightplan-report-files'])
    expect(folder.removed).toEqual([])
  })
})

describe('a chosen folder', () => {
  const refusal = async (chosen: string): Promise<string> => why(destination(chosen, folder, userData))

  it('with other content gets a subfolder', async () => {
    const documents = await made('Documents')
    await writeFile(join(documents, 'letter.txt'), 'Dear')
    await keep('1')
    await moveTo(documents)
    expect(folder.root).toBe(join(documents, 'Flightplan reports'))
    await mover.moveTo(folder.usual)
    expect(await readdir(documents)).toEqual(['letter.txt'])
    expect(await readAll()).toEqual({ 1: textOf('1') })
  })

  it.each([
    ["doesn't exist", (): Promise<string> => Promise.resolve(join(home, 'nowhere')), /^Can’t find the folder /],
    [
      'belongs to Flightplan',
      (): Promise<string> => made('data/reports/x'),
      /^That folder contains Flightplan’s own data/,
    ],
    [
      "links to Flightplan's own data",
      async (): Promise<string> => {
        await symlink(userData, join(home, 'link'))
        return join(home, 'link')
      },
      /^That folder contains Flightplan’s own data/,
    ],
    [
      "contains another installation's files",
      async (): Promise<string> => {
        const other = await ReportFolder.open(await made('other data'))
        const theirs = await made('theirs')
        await other.claim(theirs)
        return theirs
      },
      /contains report files from another Flightplan installation\. Choose another folder\.$/,
    ],
  ])('that %s is rejected with a message', async (_what, chosen, words) => {
    expect(await refusal(await chosen())).toMatch(words)
    expect(await mover.state()).toMatchObject({ usual: true, elsewhere: [] })
  })

  it("that's the current one, or inside or around it, is rejected", async () => {
    const to = await made('a/Reports')
    await moveTo(to)
    expect(await refusal(to)).toBe(`Report files are already in ${to}.`)
    expect(await refusal(await made('a/Reports/in'))).toContain('Choose a folder that isn’t inside this folder')
    await rm(join(to, 'in'), { recursive: true })
  })

  it("that's read-only is rejected, and the files stay", async () => {
    // Root may write anywhere, except there.
    const to = process.getuid?.() === 0 ? '/proc' : await made('closed')
    if (to !== '/proc') await chmod(to, 0o500)
    await expect(moveTo(to)).rejects.toMatchObject({ fault: { code: 'storage' } })
    await keep('1')
    await expect(moveTo(to)).rejects.toMatchObject({ fault: { code: 'storage' } })
    expect(await mover.state()).toMatchObject({ usual: true, elsewhere: [], files: 1 })
  })

  it("on a disk that's too small is rejected before writing", async () => {
    const run = await keep('1')
    // A sparse file takes no space here but would take all of it there.
    const { truncate } = await import('node:fs/promises')
    await truncate(library.fileOf(run), 2 ** 42)
    const to = await made('small')
    expect(await why(moveTo(to))).toMatch(
      /^The files need 4,398,047 MB, and .*small has [\d,]+ MB free\. The files weren’t moved\./,
    )
    expect([await readdir(to), (await stat(library.fileOf(run))).size]).toEqual([[], 2 ** 42])
  })
})

describe('the folder setting', () => {
  it("isn't changed when unreadable, and nothing is written elsewhere", async () => {
    const path = join(userData, 'report-files.json')
    for (const text of ['{"version":2,"folder":"/x"}', '{', '{"version":1,"folder":"relative"}']) {
      await writeFile(path, text)
      await restart()
      expect((await mover.state()).away).toContain(`Couldn’t read ${path}`)
      await expect(library.need()).rejects.toMatchObject({ fault: { code: 'storage' } })
      await expect(moveTo(await made('Reports'))).rejects.toMatchObject({ fault: { code: 'storage' } })
      await expect(folder.setRetention(3)).rejects.toMatchObject({ fault: { code: 'storage' } })
      expect(await readFile(path, 'utf8')).toBe(text)
    }
  })

  it("keeps a limit that an older version doesn't know", async () => {
    await writeFile(join(userData, 'report-files.json'), '{"version":1}')
    await restart()
    expect(folder.keep).toBe(10)
    await folder.setRetention(null)
    await restart()
    expect(folder.keep).toBe(null)
    expect(dirname(folder.root)).toBe(userData)
  })
})
