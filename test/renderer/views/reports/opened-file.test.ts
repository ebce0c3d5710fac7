import { expect, it } from 'vitest'
import type { Answer } from '#shared/ipc/contract'
import type { OpenTable, ResultProgress } from '#shared/results/questions'
import type { AppContext } from '../../../../src-renderer/context/context'
import { OpenedFile } from '../../../../src-renderer/views/reports/opened-file.svelte'

it('a file that’s being opened says how far it was read, and can be stopped without an error', async () => {
  let tell: (progress: ResultProgress) => void = () => undefined
  let answer: (answer: Answer<OpenTable>) => void = () => undefined
  const shown: string[] = []
  const canceled: unknown[] = []
  const asked = (name: string, args: unknown): Promise<unknown> => {
    if (name === 'results/choose') return new Promise((resolve) => (answer = resolve))
    canceled.push(args)
    answer({ ok: false, fault: { code: 'aborted', message: 'Canceled.' } })
    return Promise.resolve({ ok: true, value: null })
  }
  const app = {
    bridge: { ask: asked, on: (_name: string, listen: typeof tell) => ((tell = listen), () => undefined) },
    navigation: { place: { view: 'reports', params: {} } },
    toasts: { show: (text: string) => shown.push(text) },
  } as unknown as AppContext
  const file = new OpenedFile(app)
  const opening = file.open()
  expect(file.reading).toBeNull()
  tell({ table: 3, doing: 'writing', done: 1, of: 2 })
  expect(file.reading).toBeNull()
  tell({ table: 4, doing: 'reading', done: 1, of: 4 })
  expect(file.reading).toEqual({ table: 4, part: 0.25 })
  file.stop()
  await opening
  expect([canceled, shown, file.reading]).toEqual([[{ table: 4 }], [], null])
})
