import { mount } from 'svelte'
import Form from './Form.svelte'
import Frame from './Frame.svelte'
import Lines from './Lines.svelte'
import Messages from '../../../src-renderer/ui/Messages.svelte'
import { Toasts } from '../../../src-renderer/ui/toasts.svelte'
import Values from './Values.svelte'
import '../../../src-renderer/ui/tokens.css'
import '../../../src-renderer/ui/base.css'
import '../../../src-renderer/ui/controls.css'
import '../../../src-renderer/ui/layout.css'

/** Submissions, which wait until the test ends them. */
const waiting: ((isDone: boolean) => void)[] = []
export const submissions = (): number => waiting.length
export const end = (at: number, isDone: boolean): void => waiting[at]!(isDone)

/** Values whose removal was requested. Each goes away when the test removes it. */
export const removed: string[] = []
export const remove = (value: string): void => values.remove(value)

/** Weeks that each run of the builder was started with. */
export const runs: number[] = []

interface Forms {
  showKept: () => void
  showNew: () => void
}
const toasts = new Toasts()
/** Shows messages above a dialog until they're dismissed. */
export function warn(): void {
  mount(Messages, { target: document.body, props: { toasts, floats: true } })
  toasts.show('Couldn’t save this. The disk may be full, so free up some space on it and try again.', {
    ...{ level: 'error', seconds: 0 },
  })
  toasts.show('Saved', { action: { label: 'Undo', run: () => undefined }, seconds: 0 })
}

let frame: { setRunning: (on: boolean) => void }
export const setRunning = (on: boolean): void => frame.setRunning(on)
let forms: Forms
let values: { remove: (value: string) => void }
export const show = (which: 'Kept form' | 'New form'): void =>
  which === 'Kept form' ? forms.showKept() : forms.showNew()
export function start(): void {
  const target = document.querySelector('main')!
  values = mount(Values, {
    target,
    props: { onremove: (value: string) => removed.push(value) },
  }) as unknown as typeof values
  mount(Lines, { target })
  frame = mount(Frame, {
    target,
    props: { onrun: (weeks: number) => void runs.push(weeks) },
  }) as unknown as typeof frame
  forms = mount(Form, {
    target,
    props: { onsubmit: () => new Promise<boolean>((done) => waiting.push(done)) },
  }) as unknown as Forms
}
