// `npm run planted`: proves that the tests catch mistakes. Puts each mistake of `test/planted` into a copy of the sources
// and runs tests until one fails, the likeliest first. Results are saved, so that a stopped run resumes.
//   --only ID,ID     plant only these mistakes, or those whose ID starts with one of these
//   --tree DIR       use the sources in another folder
//   --ring usual     don't run long tests
//   --thorough       run the whole suite if the likely tests miss a mistake
//   --more FILE,…    run these tests, too, before a mistake counts as missed
//   --again          repeat mistakes that already have a result
//   --unchecked      don't check whether a failed test passes without the mistake
//   --out FILE       save results to this file (default: out/planted.json)
//   --workers N      number of test files to run at a time
import { flag, readOptions, text } from './help.mjs'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs'
import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { mistakes } from '../test/planted/all.mjs'
import { root } from './setup.mjs'

/** Timeouts in milliseconds, longer than any set of near tests takes, so that a hang counts as caught. */
const patience = { near: 20 * 60_000, ring: 60 * 60_000 }

/** The test files of a name such as `page/focus`, in either ring. */
export const filesNamed = (near, tests) =>
  tests.filter((path) => [`test/${near}.test.ts`, `test/${near}.all.test.ts`].includes(path))

export const needsWindow = (path) => /^test\/(e2e|page)\//.test(path)
export const onlyInAll = (path) => path.endsWith('.all.test.ts')

/** Paths of all tests of a tree. */
export const testsOf = (tree) =>
  readdirSync(join(tree, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join('test', name))
    .sort()

/**
 * Returns the text with the mistake applied.
 * @throws Error unless the snippet occurs exactly once
 */
export function planted(text, { id, find, replace }) {
  const parts = text.split(find)
  if (parts.length !== 2) throw new Error(`${id}: the snippet occurs ${parts.length - 1} times`)
  return parts.join(replace)
}

/** Runs a program to its end, or until its time is over. @returns {Promise<{ code: number | null, late: boolean, text: string }>} */
function ran(command, args, { cwd, env = {}, most = patience.near }) {
  return new Promise((done) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, detached: true })
    let text = ''
    let late = false
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data) => (text = (text + data).slice(-20_000)))
    const end = () => {
      try {
        process.kill(-child.pid, 'SIGKILL')
      } catch {
        // It already exited.
      }
    }
    process.once('exit', end)
    const timer = setTimeout(() => {
      late = true
      end()
    }, most)
    child.on('close', (code) => {
      clearTimeout(timer)
      process.removeListener('exit', end)
      done({ code, late, text })
    })
  })
}

async function gitText(tree, ...args) {
  const { code, text } = await ran('git', args, { cwd: tree })
  if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${code}: ${text}`)
  return text
}

/** A copy of a tree to make mistakes in. */
class Copy {
  constructor(tree) {
    this.tree = tree
    this.folder = mkdtempSync(join(tmpdir(), 'flightplan-planted-'))
    process.on('exit', () => rmSync(this.folder, { recursive: true, force: true }))
  }

  async fill() {
    const names = await namesIn(this.tree)
    for (const name of names) {
      mkdirSync(join(this.folder, dirname(name)), { recursive: true })
      copyFileSync(join(this.tree, name), join(this.folder, name))
    }
    for (const name of ['node_modules', '.cache'])
      if (existsSync(join(this.tree, name))) symlinkSync(resolve(this.tree, name), join(this.folder, name))
    if (existsSync(join(this.tree, 'out')))
      cpSync(join(this.tree, 'out'), join(this.folder, 'out'), { recursive: true })
    return this
  }

  async build() {
    const { code, text } = await ran(process.execPath, ['scripts/build.mjs'], { cwd: this.folder })
    return code === 0 ? undefined : text
  }

  /**
   * Runs tests until one fails.
   * @returns the first failure, or undefined if all pass
   */
  async test(files, { all = false, most, workers } = {}) {
    const report = join(this.folder, 'out', 'planted-report.json')
    rmSync(report, { force: true })
    const args = ['node_modules/vitest/vitest.mjs', 'run', ...files, '--bail=1', '--retry=0', '--reporter=json']
    args.push(`--outputFile=${report}`, ...(workers ? [`--maxWorkers=${workers}`] : []))
    const env = { FLIGHTPLAN_RING: all ? 'all' : 'usual', FLIGHTPLAN_DRAW: process.env.FLIGHTPLAN_DRAW ?? '1' }
    const { code, late, text } = await ran(process.execPath, args, { cwd: this.folder, env, most })
    if (late) return { test: 'a test that timed out', file: '', message: '' }
    const results = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')).testResults : []
    for (const { name, status, message, assertionResults } of results) {
      const failed = assertionResults.find((test) => test.status === 'failed')
      if (!failed && status !== 'failed') continue
      const file = relative(this.folder, name)
      return {
        test: failed?.fullName.trim() ?? 'a file that failed to load',
        file,
        message: String(failed?.failureMessages?.[0] ?? message).slice(0, 600),
      }
    }
    return code === 0 ? undefined : { test: 'an error outside of a test', file: '', message: text.slice(-600) }
  }
}

/** Every file that git tracks or would. */
async function namesIn(tree) {
  const list = spawn('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: tree })
  let text = ''
  for await (const part of list.stdout) text += part
  return text
    .split('\0')
    .filter((name) => name !== '' && lstatSync(join(tree, name), { throwIfNoEntry: false })?.isFile())
}

const hashOf = (mistake) => createHash('sha256').update(JSON.stringify(mistake)).digest('hex').slice(0, 12)

async function run(options) {
  const tree = resolve(options.tree ?? root)
  const out = resolve(options.out ?? join(root, 'out', 'planted.json'))
  const commit = (await gitText(tree, 'rev-parse', 'HEAD')).trim()
  const kept = existsSync(out) ? JSON.parse(readFileSync(out, 'utf8')) : { results: {}, clean: {} }
  const wanted = options.only?.split(',')
  const chosen = mistakes.filter(({ id }) => !wanted || wanted.some((one) => id === one || id.startsWith(`${one}/`)))
  const tests = testsOf(tree)
  const more = options.more?.split(',') ?? []
  const copy = await new Copy(tree).fill()
  let clean

  /** Returns true if a file passes without any mistake. */
  const passes = async (file, all) => {
    const key = `${commit} ${file}`
    if (kept.clean[key] === undefined) {
      clean ??= await new Copy(tree).fill()
      if (needsWindow(file)) await clean.build()
      kept.clean[key] = (await clean.test([file], { all, workers: options.workers })) === undefined
    }
    return kept.clean[key]
  }

  async function tried(mistake) {
    const path = join(copy.folder, mistake.file)
    const before = readFileSync(path, 'utf8')
    const near = [...mistake.near, ...more].flatMap((name) => filesNamed(name, tests))
    const stages = [
      ...[...new Set(near)].filter((file) => !onlyInAll(file)).map((file) => ({ ring: 'usual', files: [file] })),
      ...(options.thorough ? [{ ring: 'usual', files: [] }] : []),
      ...(options.ring === 'usual' ? [] : near.filter(onlyInAll).map((file) => ({ ring: 'all', files: [file] }))),
      ...(options.thorough && options.ring !== 'usual' ? [{ ring: 'all', files: [] }] : []),
    ]
    writeFileSync(path, planted(before, mistake))
    let built = false
    try {
      for (const { ring, files } of stages) {
        if (!built && (files.length === 0 || files.some(needsWindow))) {
          const trouble = await copy.build()
          if (trouble !== undefined) return { by: 'the build', file: '', ring: 'usual', message: trouble }
          built = true
        }
        const all = ring === 'all'
        const most = files.length === 0 ? patience.ring : patience.near
        const found = await copy.test(files, { all, most, workers: options.workers })
        if (!found) continue
        const sound = options.unchecked || found.file === '' || (await passes(found.file, all))
        if (sound) return { by: found.test, file: found.file, ring, message: found.message }
        console.error(`${mistake.id}: ${found.file} fails without the mistake too`)
      }
      return undefined
    } finally {
      writeFileSync(path, before)
    }
  }

  for (const [at, mistake] of chosen.entries()) {
    const hash = hashOf(mistake)
    const known = kept.results[mistake.id]
    if (known?.hash === hash && known.commit === commit && (known.by !== undefined || !more.length) && !options.again)
      continue
    const started = performance.now()
    console.error(`${at + 1} of ${chosen.length}: ${mistake.id}`)
    const found = await tried(mistake)
    const seconds = Math.round((performance.now() - started) / 1000)
    kept.results[mistake.id] = { hash, commit, promise: mistake.promise, seconds, ...found }
    mkdirSync(dirname(out), { recursive: true })
    writeFileSync(out, `${JSON.stringify(kept, null, 1)}\n`)
    console.error(`  ${found ? `caught by ${found.file}: ${found.by}` : 'MISSED'} (${seconds} s)`)
  }

  const cell = (text) => text.replaceAll('|', '\\|').replace(/\s+/g, ' ')
  console.log('| mistake | promise | caught by | ring | s |\n| --- | --- | --- | --- | ---: |')
  const shown = chosen.map((mistake) => ({ ...mistake, ...kept.results[mistake.id] }))
  for (const { id, promise, by, file = '', ring = '', seconds } of shown)
    console.log(
      `| ${id} | ${cell(promise)} | ${by === undefined ? '**missed**' : cell(`${file.replace(/^test\//, '')}: ${by}`)} | ${ring} | ${seconds} |`,
    )
  const caught = shown.filter(({ by }) => by !== undefined).length
  const usual = shown.filter(({ by, ring }) => by !== undefined && ring === 'usual').length
  console.log(`\n${usual} of them by the usual ring`)
  console.log(`${caught} caught, ${shown.length - caught} missed`)
  return caught === shown.length
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const values = readOptions({
    ...{ only: text, tree: text, ring: text, more: text, out: text, workers: text },
    ...{ thorough: flag, again: flag, unchecked: flag },
  })
  process.exit((await run(values)) ? 0 : 1)
}
