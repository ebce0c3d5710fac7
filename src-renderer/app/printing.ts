import { tick } from 'svelte'
import { faultOf } from '#shared/fault'
import { ask } from '../bridge'
import type { AppContext, Command } from '../context/context'
import { onPaper } from '../ui/on-paper.svelte'

/** Prints the view as it is shown, in light colours; what is too long for the screen goes on over pages. */
async function print(app: AppContext, title: string, to: 'printer' | 'file'): Promise<void> {
  const { dataset } = document.documentElement
  const theme = dataset['theme']
  dataset['theme'] = 'light'
  onPaper.on = true
  await tick()
  try {
    // As it is read on the screen: a heading may hold a shorter form of itself.
    const heading = document.querySelector<HTMLElement>('main h1')?.innerText.trim() ?? ''
    const name = [...new Set([title, heading])].filter(Boolean).join(', ').slice(0, 200)
    const done = await ask(app.bridge, 'app/print', { name, to, landscape: app.navigation.place.view === 'calendar' })
    if (!done?.path) return
    const { path } = done
    app.toasts.show(`Saved ${path.split(/[\\/]/).at(-1) ?? path}.`, {
      action: { label: 'Show', run: () => void ask(app.bridge, 'app/reveal-file', { path }) },
    })
  } catch (error) {
    app.toasts.show(faultOf(error).message, { level: 'error' })
  } finally {
    dataset['theme'] = theme
    onPaper.on = false
  }
}

/** Where a view draws only what is in sight, what it prints whole is printed in place of the window. @param title of the view that is shown */
export function printCommands(app: AppContext, title: () => string): Command[] {
  const group = 'Files'
  return [
    {
      id: 'app.print',
      title: 'Print…',
      group,
      keys: ['Ctrl+P'],
      when: () => !app.commands.printing,
      run: () => void print(app, title(), 'printer'),
    },
    {
      id: 'app.print-file',
      title: 'Print to a PDF file…',
      group,
      run: () => {
        const whole = app.commands.printing
        if (whole) whole.run()
        else void print(app, title(), 'file')
      },
    },
  ]
}
