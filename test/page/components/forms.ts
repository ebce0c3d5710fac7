import { mount } from 'svelte'
import Form from './Form.svelte'
import '../../../src-renderer/ui/tokens.css'
import '../../../src-renderer/ui/base.css'
import '../../../src-renderer/ui/controls.css'
import '../../../src-renderer/ui/layout.css'

/** Submissions, which wait until the test ends them. */
const waiting: ((isDone: boolean) => void)[] = []
export const submissions = (): number => waiting.length
export const end = (at: number, isDone: boolean): void => waiting[at]!(isDone)

interface Forms {
  showKept: () => void
  showNew: () => void
}
let forms: Forms
export const show = (which: 'Kept form' | 'New form'): void =>
  which === 'Kept form' ? forms.showKept() : forms.showNew()
export function start(): void {
  forms = mount(Form, {
    target: document.querySelector('main')!,
    props: { onsubmit: () => new Promise<boolean>((done) => waiting.push(done)) },
  }) as unknown as Forms
}
