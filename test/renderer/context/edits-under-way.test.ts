import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Bridge, RequestArguments } from '#shared/ipc/contract'
import { EditsUnderWay } from '../../../src-renderer/context/edits-under-way.svelte'
import { RunningWork } from '../../../src-renderer/context/running-work.svelte'

let announced: RequestArguments<'app/editing'>['works'][] = []
/** Number of times that the page said that everything typed is saved. */
let saved = 0
let close = (): void => undefined
let edits: EditsUnderWay

beforeEach(() => {
  vi.useFakeTimers()
  announced = []
  saved = 0
  const bridge = {
    ask: (_name: 'app/editing', { works, saved: isSaved }: RequestArguments<'app/editing'>) => {
      if (isSaved) saved++
      else announced.push(works)
      return Promise.resolve({ ok: true, value: null })
    },
    on: (_name: 'app/closing', listener: (payload: Record<string, never>) => void) => {
      close = () => listener({})
      return () => undefined
    },
  }
  edits = new EditsUnderWay(bridge as unknown as Bridge)
  vi.advanceTimersByTime(100)
  expect(announced.splice(0)).toEqual([[]])
})
afterEach(() => vi.useRealTimers())

it("main hears of an edit's start and end at once, and of progress at most ten times a second", () => {
  const one = edits.begin('Pasting')
  expect(announced).toEqual([[{ name: 'Pasting', done: 0, of: 0 }]])
  for (let done = 1; done <= 50; done++) one.onprogress(done, 50)
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
  const [pasting, filling] = [new RunningWork('Pasting'), new RunningWork('Filling')]
  edits.begin(pasting)
  const over = edits.begin(filling)
  const small = edits.begin('New event')
  const large = edits.begin('Undo: Paste')
  large.onprogress(200, 4_000)
  over.end()
  close()
  const signals = [pasting, filling, small, large].map(({ signal }) => signal.aborted)
  expect(signals).toEqual([true, false, false, true])
})

it('a closing page says that what was typed is saved once the edits that this began have ended', () => {
  edits.begin('Rename').end()
  vi.advanceTimersByTime(1_000)
  expect(saved).toBe(0)
  close()
  const typed = edits.begin('Client code')
  vi.advanceTimersByTime(1_000)
  const late = edits.begin('End date')
  typed.end()
  expect(saved).toBe(0)
  late.end()
  expect(saved).toBe(1)
})

it('a closing page in which nothing was typed says so', () => {
  close()
  vi.advanceTimersByTime(1)
  expect(saved).toBe(1)
})

it('shows the progress of a bulk edit that takes a while, unless it shows its own', () => {
  const paste = edits.begin(new RunningWork('Paste'))
  paste.onprogress(1, 5_000)
  const small = edits.begin('Rename')
  const large = edits.begin('Import')
  large.onprogress(200, 4_000)
  expect(edits.shown).toBeNull()
  vi.advanceTimersByTime(300)
  expect(edits.shown).toMatchObject({ title: 'Import', done: 200, of: 4_000 })
  large.end()
  expect(edits.shown).toBeNull()
  small.end()
  paste.end()
})
