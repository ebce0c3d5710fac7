import { tick } from 'svelte'
import { faultOf } from '#shared/fault'
import { ask } from '../bridge'
import type { AppContext, Command } from '../context/context'
import { onPaper } from '../ui/on-paper.svelte'

/** Prints the current view in light colors, continuing on further pages as needed. */
async function print(app: AppContext, title: string, to: 'printer' | 'file'): Promise<void> {
  const { dataset } = document.documentElement
  const theme = dataset['theme']
  dataset['theme'] = 'light'
  onPaper.on = true
  await tick()
  try {
    // The displayed text, because a heading may also contain a shortened form.
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

/**
 * Print commands. A view that draws only its visible part may replace them with a complete document.
 * @param title title of the current view
 */
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
      title: 'Print as PDF…',
      group,
      run: () => {
        const whole = app.commands.printing
        if (whole) whole.run()
        else void print(app, title(), 'file')
      },
    },
  ]
}
