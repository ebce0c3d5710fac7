import { beforeEach, describe, expect, it, vi } from 'vitest'
import { DefaultList } from '../../../../src-renderer/views/tasks/default-list.svelte'

type App = ConstructorParameters<typeof DefaultList>[0]
const answers = vi.fn()
const app = { account: { id: 'a' }, bridge: { ask: answers } } as unknown as App

beforeEach(() => {
  answers.mockReset()
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
})
const answersWith = (id: string): void => void answers.mockResolvedValueOnce({ ok: true, value: { id } })

describe('the default task list', () => {
  it('is asked for once, also after a restart', async () => {
    answersWith('one')
    await new DefaultList(app).look(['one', 'two'])
    const list = new DefaultList(app)
    await list.look(['one', 'two'])
    expect([list.is('one'), list.is('two')]).toEqual([true, false])
    expect(answers).toHaveBeenCalledTimes(1)
  })

  it('is asked for again after a failure', async () => {
    answers.mockResolvedValueOnce({ ok: false, fault: {} })
    answersWith('one')
    const list = new DefaultList(app)
    await list.look(['one'])
    await list.look(['one'])
    expect(list.is('one')).toBe(true)
  })

  it('is asked for again if no list has the stored ID, once per set of lists', async () => {
    answersWith('early')
    await new DefaultList(app).look(['early'])
    answersWith('early')
    answersWith('one')
    const list = new DefaultList(app)
    await list.look(['two'])
    await list.look(['two'])
    expect(answers).toHaveBeenCalledTimes(2)
    await list.look(['one', 'two'])
    expect(list.is('one')).toBe(true)
  })
})
