import { app, dialog, type BrowserWindow, type MessageBoxOptions } from 'electron'
import { underWayWords, type UnderWay } from './exports-under-way'

/**
 * Closing the window hides it, so that sync goes on; quitting with unsent changes, or while a file is being written, says so
 * first. `before` runs once the person has decided, and may take a moment.
 */
export function guardQuit(options: {
  window: BrowserWindow
  unsent: () => number
  writing: () => readonly UnderWay[]
  ask: boolean
  hideOnClose: () => boolean
  closing: () => void
  before: () => Promise<void>
}): void {
  let state: 'running' | 'asking' | 'leaving' | 'done' = 'running'

  async function leave(): Promise<void> {
    state = 'asking'
    const question = options.ask && questionOf(options.unsent(), options.writing())
    if (question && (await staysOpen(options.window, question))) {
      state = 'running'
      return
    }
    state = 'leaving'
    options.closing()
    await options.before().catch(() => undefined)
    state = 'done'
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
}

type Question = Pick<MessageBoxOptions, 'message' | 'detail' | 'buttons'>

/** What is asked before quitting; undefined where nothing is in the way. */
function questionOf(unsent: number, writing: readonly UnderWay[]): Question | undefined {
  const changes = unsent === 1 ? 'One change has not been sent yet.' : `${unsent} changes have not been sent yet.`
  const kept = 'They are kept on this computer and are sent the next time Flightplan runs with a connection.'
  if (writing.length > 0) {
    const { short, lines } = underWayWords(writing)
    const left = 'What is not whole when Flightplan quits is taken off again; files that are written stay.'
    return {
      message: short,
      detail: [lines.join('\n'), left, ...(unsent > 0 ? [`${changes} ${kept}`] : [])].join('\n\n'),
      buttons: ['Quit anyway', 'Stay'],
    }
  }
  return unsent > 0 ? { message: changes, detail: kept, buttons: ['Quit', 'Keep running'] } : undefined
}

async function staysOpen(window: BrowserWindow, question: Question): Promise<boolean> {
  const { response } = await dialog.showMessageBox(window, { type: 'info', ...question, defaultId: 1, cancelId: 1 })
  return response === 1
}
