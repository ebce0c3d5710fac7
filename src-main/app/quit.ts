import { setTimeout as after } from 'node:timers/promises'
import { app, dialog, type BrowserWindow, type MessageBoxOptions } from 'electron'
import { progressLines, underWayWords, type UnderWay } from './exports-under-way'

/** Milliseconds. Edits that finish within `short` don't cause a question. */
const patience = { short: 1_000, look: 30 }

export interface QuitGuard {
  /** Quits, asking only about work that would be interrupted, and starts the app again. */
  restart: () => void
  /** True once everything is saved, so that windows may close. */
  readonly isDone: boolean
  /** True while quitting. */
  readonly isLeaving: boolean
}

/**
 * Closing the window hides it, so that sync continues. Quitting with pending changes, running exports, or running edits
 * asks first. `before` runs once the user has decided, and may take a moment.
 */
export function guardQuit(options: {
  /** The window that lives as long as the app. */
  window: BrowserWindow
  /** The window in front, which shows the question. */
  front: () => BrowserWindow
  unsent: () => number
  writing: () => readonly UnderWay[]
  editing: () => readonly UnderWay[]
  ask: boolean
  hideOnClose: () => boolean
  saveTyped: () => Promise<void>
  before: () => Promise<void>
  /** Called after the user chose to stay. */
  stayed: () => void
  /** Called last, if the app is to start again. */
  relaunch: () => void
}): QuitGuard {
  let state: 'running' | 'asking' | 'leaving' | 'done' = 'running'
  /** Number of attempts to quit. The last answer counts. */
  let asked = 0
  let restarting = false
  const edited = (): boolean => options.editing().length === 0
  const written = (): boolean => options.writing().length === 0

  async function leave(): Promise<void> {
    state = 'asking'
    const own = ++asked
    await until(edited, patience.short)
    const unsent = restarting ? 0 : options.unsent()
    const question = options.ask && questionOf(unsent, options.writing(), options.editing())
    const answer = question ? await answerTo(options.front(), question) : 'quit'
    if (answer === 'quit') return go()
    state = 'running'
    if (answer === 'stay') {
      restarting = false
      options.stayed()
      return
    }
    await until(() => own !== asked || (edited() && written()))
    if (own === asked) await go()
  }

  async function go(): Promise<void> {
    state = 'leaving'
    // Saves text being typed. Stopped edits are undone.
    await options.saveTyped()
    await options.before().catch(() => undefined)
    state = 'done'
    if (restarting) options.relaunch()
    app.quit()
  }

  options.window.on('close', (event) => {
    if (state === 'done') return
    event.preventDefault()
    if (state !== 'running') return
    if (options.hideOnClose()) options.window.hide()
    else void leave()
  })
  app.on('before-quit', (event) => {
    if (state === 'done') return
    event.preventDefault()
    if (state === 'running') void leave()
  })
  return {
    restart: () => {
      restarting = true
      app.quit()
    },
    get isDone() {
      return state === 'done'
    },
    get isLeaving() {
      return state !== 'running'
    },
  }
}

export async function until(holds: () => boolean, most = Infinity): Promise<void> {
  for (let waited = 0; waited < most && !holds(); waited += patience.look) await after(patience.look)
}

/** `later` quits once all work is done. */
type QuitAnswer = 'quit' | 'later' | 'stay'
interface Question extends Pick<MessageBoxOptions, 'message' | 'detail'> {
  /** Each with the words on its button. */
  answers: Partial<Record<QuitAnswer, string>>
}

/** The question before quitting. Undefined if nothing is in progress. */
function questionOf(unsent: number, writing: readonly UnderWay[], editing: readonly UnderWay[]): Question | undefined {
  const changes =
    unsent === 1 ? '1 change hasn’t been sent yet.' : `${unsent.toLocaleString('en')} changes haven’t been sent yet.`
  const kept =
    unsent === 1
      ? 'It’s saved on this computer and will still be here the next time you open Flightplan.'
      : 'They’re saved on this computer and will still be here the next time you open Flightplan.'
  const left = 'If you quit now, unfinished files are deleted. Finished files are kept.'
  const waits = unsent > 0 ? [`${changes} ${kept}`] : []
  const files = writing.length > 0 ? [progressLines(writing).join('\n'), left] : []
  const [first] = editing
  if (first) {
    return {
      message: editing.length === 1 ? 'An edit isn’t finished yet.' : `${editing.length} edits aren’t finished yet.`,
      detail: [
        progressLines(editing).join('\n'),
        'If you stop now, unfinished edits are undone.',
        ...files,
        ...waits,
      ].join('\n\n'),
      answers: { later: 'Quit when finished', quit: 'Stop and quit', stay: 'Cancel' },
    }
  }
  if (writing.length > 0)
    return {
      message: underWayWords(writing).short,
      detail: [...files, ...waits].join('\n\n'),
      answers: { quit: 'Quit anyway', stay: 'Cancel' },
    }
  return unsent > 0 ? { message: changes, detail: kept, answers: { quit: 'Quit', stay: 'Cancel' } } : undefined
}

async function answerTo(window: BrowserWindow, { answers, ...question }: Question): Promise<QuitAnswer> {
  const all = Object.keys(answers) as QuitAnswer[]
  const stay = all.indexOf('stay')
  const shown = { type: 'info', ...question, buttons: Object.values(answers), defaultId: stay, cancelId: stay } as const
  const { response } = await dialog.showMessageBox(window, shown)
  return all[response] ?? 'stay'
}
