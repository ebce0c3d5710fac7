import { beforeEach, expect, it, vi } from 'vitest'
import { showFailedEdit } from '../../../../src-renderer/views/campaigns/failed-edits'
import { failedGroups } from '../../../../src-renderer/views/campaigns/post-failures'
import type { PlannedRow } from '../../../../src-renderer/views/campaigns/post-plan'
import { gone } from '../../../../src-renderer/views/campaigns/parse-cell'
import { Toasts } from '../../../../src-renderer/ui/toasts.svelte'
import { someEntry } from '../../../helpers/some-entry'

const stored = new Map<string, string>()
beforeEach(() => {
  stored.clear()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  })
})

it('text for a record that is gone can be copied, as there is nothing to open', () => {
  const toasts = new Toasts()
  const model = { app: { toasts, account: { id: 'a' } } } as unknown as Parameters<typeof showFailedEdit>[0]
  const what = { key: 'eventTags\n1\n2', head: 'URL', title: 'Pixel', text: 'https://a.example' }
  const last = (): [string, string | undefined] => {
    const toast = toasts.list.at(-1)!
    return [toast.text, toast.action?.label]
  }
  showFailedEdit(model, { ...what, why: 'Enter a URL' })
  expect(last()).toEqual([
    'Couldn’t save “https://a.example” as the URL of Pixel. Enter a URL. Your text is in this message.',
    'Open record',
  ])
  showFailedEdit(model, { ...what, text: '', why: 'Enter a URL' })
  expect(last()[0]).toBe('Couldn’t save an empty value as the URL of Pixel. Enter a URL.')
  showFailedEdit(model, { ...what, why: gone })
  expect(last()).toEqual([
    'Couldn’t save “https://a.example” as the URL of Pixel. This record no longer exists. Your text is in this message.',
    'Copy text',
  ])
})

it('the result of a post says which records someone else deleted', () => {
  const failed = ({ remote }: { remote: { name: string } | null }): string[] => {
    const entry = someEntry({ state: 'needsYou', conflict: { remote, fields: [], merged: {} } })
    return failedGroups([{ entry } as PlannedRow], new Map([[entry.id, entry]])).map(({ why }) => why)
  }
  expect(failed({ remote: { name: 'Theirs' } })).toEqual(['Someone else changed this, too'])
  expect(failed({ remote: null })).toEqual(['Someone else deleted this'])
})
