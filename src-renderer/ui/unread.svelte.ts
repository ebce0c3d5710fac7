import { getContext, setContext } from 'svelte'

const key = Symbol('unread')

/** Fields with invalid text, which block submitting the form. */
export class Unread {
  /** Why, by the field's name. */
  fields = $state.raw<Readonly<Record<string, string>>>({})

  /** For a field's `onunread`. Null clears its problem. */
  set(field: string, problem: string | null): void {
    const { [field]: _over, ...rest } = this.fields
    this.fields = problem === null ? rest : { ...rest, [field]: problem }
  }

  get any(): boolean {
    return Object.keys(this.fields).length > 0
  }
}

/** Collects the invalid text of the calling component's typed fields and those below it. Call it during initialization. */
export const collectUnread = (): Unread => setContext(key, new Unread())

/** The nearest collection above the calling component. */
export const unreadAbove = (): Unread | undefined => getContext<Unread | undefined>(key)

/** Focuses the first field with an error. */
export function focusUnread(within: HTMLElement): void {
  within.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
}
