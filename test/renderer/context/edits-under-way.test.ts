import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Bridge, RequestArguments } from '#shared/ipc/contract'
import { EditsUnderWay } from '../../../src-renderer/context/edits-under-way'

let announced: RequestArguments<'app/editing'>['works'][] = []
let close = (): void => undefined
let edits: EditsUnderWay

beforeEach(() => {
  vi.useFakeTimers()
  announced = []
  const bridge = {
    ask: (_name: 'app/editing', { works }: RequestArguments<'app/editing'>) => {
      announced.push(works)
      return Promise.resolve({ ok: true, value: null })
    },
    on: (_name: 'app/closing', listener: (payload: Record<string, never>) => void) => {
      close = () => listener({})
      return () => undefined
    },
  }
  edits = new EditsUnderWay(bridge as unknown as Bridge)
})
afterEach(() => vi.useRealTimers())

it("main hears of an edit's start and end at once, and of progress at most ten times a second", () => {
  const one = edits.begin('Pasting')
  expect(announced).toEqual([[{ name: 'Pasting', done: 0, of: 0 }]])
  for (let done = 1; done <= 50; done++) one.tell(done, 50)
  expect(announced).toHaveLength(1)
  vi.advanceTimersByTime(100)
  expect(announced.slice(1)).toEqual([[{ name: 'Pasting', done: 50, of: 50 }]])
  const other = edits.begin('x'.repeat(5_000))
  one.end()
  vi.advanceTimersByTime(100)
  expect(announced.at(-1)).toEqual([{ name: 'x'.repeat(200), done: 0, of: 0 }])
  other.end()
  vi.advanceTimersByTime(1_000)
  expect(announced.at(-1)).toEqual([])
  const { length } = announced
  vi.advanceTimersByTime(10_000)
  expect(announced).toHaveLength(length)
})

it('closing the window stops bulk edits but not small ones', () => {
  const stopped: string[] = []
  edits.begin('Pasting', () => stopped.push('Pasting'))
  const over = edits.begin('Filling', () => stopped.push('Filling'))
  const small = edits.begin('New event')
  const large = edits.begin('Undo: Paste')
  large.tell(200, 4_000)
  over.end()
  close()
  expect([stopped, small.signal.aborted, large.signal.aborted]).toEqual([['Pasting'], false, true])
})
