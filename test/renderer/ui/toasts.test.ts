import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Toasts } from '../../../src-renderer/ui/toasts.svelte'

const texts = (toasts: Toasts): string[] => toasts.list.map(({ text }) => text)
const inSight = (toasts: Toasts): string[] => toasts.shown.map(({ text }) => text)

describe('messages', () => {
  it('with errors stay until dismissed, however many follow', () => {
    const toasts = new Toasts()
    const gone: string[] = []
    const wrong = ['one', 'two', 'three', 'four', 'five']
    const ids = wrong.map((text) => toasts.show(text, { level: 'error', ongone: () => gone.push(text) }))
    toasts.show('Saved')
    toasts.show('Saved again')
    expect(texts(toasts)).toEqual([...wrong, 'Saved', 'Saved again'])
    expect(inSight(toasts)).toEqual(['five', 'Saved again'])
    expect(gone).toEqual([])
    toasts.dismiss(ids[0]!)
    toasts.dismiss(ids[0]!)
    expect(texts(toasts)).toEqual(['two', 'three', 'four', 'five', 'Saved', 'Saved again'])
    expect(gone).toEqual(['one'])
  })

  it("don't repeat the same error", () => {
    const toasts = new Toasts()
    toasts.show('No answer', { level: 'error' })
    toasts.show('Other', { level: 'error' })
    toasts.show('No answer', { level: 'error' })
    expect(texts(toasts)).toEqual(['Other', 'No answer'])
  })

  it('about a failed attempt go once it has succeeded', () => {
    const toasts = new Toasts()
    toasts.show('Couldn’t save “Add Lunch”', { level: 'error', attempt: 'lunch' })
    toasts.show('Couldn’t save “Add Dinner”', { level: 'error', attempt: 'dinner' })
    toasts.show('Offline', { level: 'error' })
    toasts.succeeded(() => 'lunch')
    expect(texts(toasts)).toEqual(['Couldn’t save “Add Dinner”', 'Offline'])
    const next = new Toasts()
    toasts.show('Couldn’t save “Add Lunch”', { level: 'error', attempt: 'lunch', survivesAccountSwitch: true })
    toasts.handOver(next)
    next.succeeded(() => 'lunch')
    expect(texts(next)).toEqual([])
    new Toasts().succeeded(() => {
      throw new Error('read without an error about an attempt')
    })
  })

  it('about ongoing work move along on each account switch, and others stay', () => {
    const [first, second, third] = [new Toasts(), new Toasts(), new Toasts()]
    const gone: string[] = []
    first.show('Not written', { level: 'error', ongone: () => gone.push('Not written') })
    first.show('Writing', { survivesAccountSwitch: true })
    first.handOver(second)
    expect(texts(second)).toEqual(['Writing'])
    second.handOver(third)
    first.show('Written', { survivesAccountSwitch: true })
    first.show('Changed')
    expect(texts(third)).toEqual(['Writing', 'Written'])
    expect(inSight(third)).toEqual(['Written'])
    // Messages that weren't dismissed don't count as seen.
    expect(gone).toEqual([])
  })

  it('name their account while another one is shown', () => {
    const agency = { id: 'a1', name: 'Agency' }
    // Two accounts of one person can have the same name.
    const [first, second, third] = [agency, { id: 'a2', name: 'Agency' }, agency].map(
      (account) => new Toasts(undefined, undefined, account),
    )
    first!.show('Importing', { survivesAccountSwitch: true })
    expect(texts(first!)).toEqual(['Importing'])
    first!.handOver(second!)
    second!.show('Saved')
    first!.show('30 created', { survivesAccountSwitch: true })
    expect(texts(second!)).toEqual(['Agency: Importing', 'Saved', 'Agency: 30 created'])
    second!.handOver(third!)
    first!.show('40 created', { survivesAccountSwitch: true })
    expect(texts(third!)).toEqual(['30 created', '40 created'])
  })
})

describe('messages after a while', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('are only in the list, where errors count until it opens', () => {
    const toasts = new Toasts()
    toasts.show('No answer', { level: 'error' })
    toasts.show('Deleted', { action: { label: 'Undo', run: () => {} } })
    vi.advanceTimersByTime(9_000)
    expect(inSight(toasts)).toEqual(['No answer', 'Deleted'])
    vi.advanceTimersByTime(1_000)
    expect(inSight(toasts)).toEqual([])
    expect(texts(toasts)).toEqual(['No answer', 'Deleted'])
    expect(toasts.unread).toBe(1)
    toasts.openList()
    expect(toasts.unread).toBe(0)
    expect(texts(toasts)).toEqual(['No answer', 'Deleted'])
  })

  it('stay in sight while the pointer or the focus is on them', () => {
    const toasts = new Toasts()
    toasts.held = true
    toasts.show('Deleted')
    vi.advanceTimersByTime(60_000)
    expect(inSight(toasts)).toEqual(['Deleted'])
    toasts.held = false
    vi.advanceTimersByTime(2_000)
    expect(inSight(toasts)).toEqual([])
  })

  it('are listed up to a number, except errors, which are never dropped', () => {
    const toasts = new Toasts()
    toasts.show('No answer', { level: 'error' })
    for (let index = 1; index <= 30; index++) toasts.show(`Saved ${index}`)
    expect(texts(toasts)).toHaveLength(21)
    expect(texts(toasts)[0]).toBe('No answer')
    expect(texts(toasts)[1]).toBe('Saved 11')
  })

  it('about progress are replaced and never listed', () => {
    const toasts = new Toasts()
    for (const done of [1, 2, 3]) toasts.show(`Writing ${done}…`, { passing: true, seconds: 60 })
    expect(texts(toasts)).toEqual(['Writing 3…'])
    toasts.show('Written')
    expect(texts(toasts)).toEqual(['Written'])
    toasts.show('Writing 1…', { passing: true, seconds: 60 })
    vi.advanceTimersByTime(60_000)
    expect(texts(toasts)).toEqual(['Written'])

    toasts.show('Writing 1…', { passing: true, seconds: 60 })
    toasts.show('Disk full', { level: 'error' })
    expect(toasts.shown.map(({ text }) => text)).toEqual(['Disk full', 'Writing 1…'])
    const later = new Toasts()
    toasts.show('Writing 2…', { passing: true, seconds: 60, survivesAccountSwitch: true })
    toasts.handOver(later)
    toasts.endProgress()
    expect(texts(later)).toEqual([])
  })

  it('are spoken once, and progress and errors by other means', () => {
    const spoken: string[] = []
    const toasts = new Toasts((text) => spoken.push(text))
    toasts.show('Saved')
    toasts.show('Writing…', { passing: true })
    toasts.show('No answer', { level: 'error' })
    vi.advanceTimersByTime(60_000)
    expect(spoken).toEqual(['Saved'])
  })
})
