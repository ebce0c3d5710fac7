// Only in test:all: clicks every control of every view at three widths, which takes ten minutes.
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '#shared/time/clock'
import { launchApp, type RunningApp } from '../helpers/app'
import { findControls, type Control } from '../helpers/controls'
import { atRest, nothingPending, runCommand } from '../helpers/page'

let app: RunningApp
afterEach(() => app?.close())

/** Controls that would end the test. Each has its own tests. */
const elsewhere =
  /sign out|sign in|remove account|remove from this computer|reload|start again|quit|delete account|delete report/i

const press = (keys: string): Promise<void> => app.page.keyboard.press(keys)

/** Every view and how to open it. */
const views: [string, () => Promise<unknown>][] = [
  ['calendar, day', async () => (await press('Control+1'), await press('1'))],
  ['calendar, week', async () => (await press('Control+1'), await press('2'))],
  ['calendar, month', async () => (await press('Control+1'), await press('3'))],
  ['calendar, agenda', async () => (await press('Control+1'), await press('4'))],
  ['event editor', async () => (await press('Control+1'), await press('2'), await press('c'))],
  ['quick add', async () => (await press('Control+1'), await press('q'))],
  ['tasks', () => press('Control+2')],
  ['campaigns', () => press('Control+3')],
  ['sync', () => press('Control+6')],
  ['reports', () => press('Control+4')],
  ['search ads', () => press('Control+5')],
  ['campaign data to choose from', () => runCommand(app.page, 'Choose campaign data')],
  ['settings', () => press('Control+,')],
  ['keyboard shortcuts', () => press('F1')],
  ['export of a calendar', () => runCommand(app.page, 'Export calendar')],
  ['export of tasks', () => runCommand(app.page, 'Export tasks')],
  ['import', async () => (await runCommand(app.page, 'Import'), await app.page.getByRole('dialog').waitFor())],
  ['a new account', () => runCommand(app.page, 'Add an account')],
]

/** Closes everything and shows a view in its initial state. */
async function begin(show: () => Promise<unknown>): Promise<void> {
  for (let tries = 0; tries < 5; tries++) {
    await press('Escape')
    const { surfaces } = await findControls(app.page)
    if (surfaces.length === 0) break
  }
  await show()
  await atRest(app.page)
}

/**
 * An element removed with the focus passes it on within two frames, perhaps after a response from main. One second counts as
 * lost.
 */
async function keepsFocus(): Promise<boolean> {
  const deadline = systemClock.elapsed() + 1000
  for (;;) {
    if ((await findControls(app.page)).focus !== '') return true
    if (systemClock.elapsed() > deadline) return false
    await atRest(app.page)
  }
}

interface Found {
  control: Control
  /** Kinds of controls to click to get there from the view. */
  path: string[]
}

/** Clicks each control of a view and everything that appears, once. @returns problems, one per line */
async function clickThrough(view: string, show: () => Promise<unknown>, known: Set<string>): Promise<string[]> {
  const problems: string[] = []
  const waiting: Found[] = []
  const discover = async (path: string[]): Promise<void> => {
    const { controls, outside } = await findControls(app.page)
    for (const complaint of app.complaints.slice(heard))
      problems.push(`${view}: ${[...path, ''].join(' > ')}${complaint}`)
    heard = app.complaints.length
    for (const line of outside) problems.push(`${view}: ${[...path, ''].join(' > ')}outside the window: ${line}`)
    for (const control of path.length > 3 ? [] : controls) {
      if (known.has(control.kind) || elsewhere.test(control.name)) continue
      known.add(control.kind)
      waiting.push({ control, path })
      if (control.coveredBy !== '')
        problems.push(`${view}: ${[...path, control.kind].join(' > ')} is covered by ${control.coveredBy}`)
    }
  }
  const click = async (kind: string): Promise<boolean> => {
    const [found] = (await findControls(app.page, kind)).controls
    if (!found) return false
    await app.page.mouse.click(found.x, found.y)
    await atRest(app.page)
    return true
  }
  await begin(show)
  await discover([])
  for (const { control, path } of waiting) {
    await begin(show)
    let there = true
    for (const kind of path) there &&= await click(kind)
    there &&= await click(control.kind)
    const line = `${view}: ${[...path, control.kind].join(' > ')}`
    if (!there) continue
    clicked++
    if (!(await keepsFocus())) problems.push(`${line}: nothing has focus`)
    await discover([...path, control.kind])
  }
  return problems
}
let clicked = 0
/** Number of complaints already attributed to a control. */
let heard = 0

describe.each([640, 1024, 1280])('at %i px', (width) => {
  it('every control of every view is clicked once: no error, nothing covered or out of bounds, no lost focus', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'flightplan-saved-'))
    app = await launchApp({
      args: [
        '--save-to',
        folder,
        '--open-links-to',
        join(folder, 'links.txt'),
        '--open-file',
        resolve('test/fixtures/ics/alarms-and-guests.ics'),
      ],
      size: { width, height: 800 },
    })
    await nothingPending(app.page)
    const known = new Set<string>()
    const problems: string[] = []
    clicked = 0
    heard = 0
    for (const [view, show] of views) {
      const before = clicked
      problems.push(...(await clickThrough(view, show, known)))
      console.log(`${view}: ${clicked - before}`)
    }
    console.log(`${width} px: ${clicked} controls clicked`)
    expect(problems).toEqual([])
    expect(clicked).toBeGreaterThan(100)
  }, 900_000)
})
