import { mount } from 'svelte'
import Form from './Form.svelte'
import Frame from './Frame.svelte'
import Lines from './Lines.svelte'
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
  mount(Frame, { target, props: { onrun: (weeks: number) => void runs.push(weeks) } })
  forms = mount(Form, {
    target,
    props: { onsubmit: () => new Promise<boolean>((done) => waiting.push(done)) },
  }) as unknown as Forms
}
