import { beforeEach, expect, it, vi } from 'vitest'
import type { CalendarActions } from '../../../../src-renderer/views/calendar/actions.svelte'
import { DraftStore } from '../../../../src-renderer/views/calendar/editor/draft.svelte'
import { EditorState } from '../../../../src-renderer/views/calendar/editor/state.svelte'
import type { Entry } from '../../../../src-renderer/views/calendar/layout/entry'
import type { CalendarModel } from '../../../../src-renderer/views/calendar/model.svelte'

const kept = new Map<string, string>()
const storage = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
}
beforeEach(() => {
  kept.clear()
  vi.stubGlobal('localStorage', storage)
})

const entry = (id: string): Entry =>
  ({ key: id, event: { itemKey: id, eventId: id, calendarId: 'work' } }) as unknown as Entry
let removed: (isRemoved: boolean) => void
const shown: string[] = []
function editorOf(): EditorState {
  const app = {
    account: { id: 'one' },
    bridge: { on: () => () => undefined },
    toasts: { show: (text: string) => shown.push(text), dismiss: () => undefined },
  }
  const model = {
    app,
    selected: null,
    elementOf: () => null,
    focusStop: () => undefined,
    spanOf: () => null,
    calendar: () => ({ writable: true }),
  }
  const actions = {
    load: ({ key }: Entry) => Promise.resolve({ event: { summary: key } }),
    remove: () => new Promise<boolean>((resolve) => (removed = resolve)),
  }
  return new EditorState(model as unknown as CalendarModel, actions as unknown as CalendarActions)
}
const keptKeys = (): string[] => new DraftStore(storage, 'one').all().map(({ key }) => key)

it('leaves another event open, and its input stored, when one that was saved earlier is done', async () => {
  const editor = editorOf()
  await editor.open(entry('first'))
  const first = editor.draft!
  first.set('summary', 'First, changed')
  await editor.open(entry('second'))
  editor.draft!.set('summary', 'Second, changed')
  const second = editor.draft
  expect(keptKeys()).toEqual(['first'])
  editor.saved(first)
  expect([editor.draft, keptKeys()]).toEqual([second, []])
  editor.close()
  expect(keptKeys()).toEqual(['second'])
  // The title can be cut.
  expect(shown.at(-1)).toBe('Saved as a draft: changes to “Second, changed”. Reopen it to continue.')
})

it('leaves another event open when one that was deleted earlier is gone', async () => {
  const editor = editorOf()
  await editor.open(entry('first'))
  editor.draft!.set('summary', 'First, changed')
  const removing = editor.remove()
  await editor.open(entry('second'))
  const second = editor.draft
  removed(true)
  await removing
  expect([editor.draft, keptKeys()]).toEqual([second, []])
})

it('closes the event that was saved', async () => {
  const editor = editorOf()
  await editor.open(entry('first'))
  editor.saved(editor.draft!)
  expect(editor.draft).toBeNull()
})
