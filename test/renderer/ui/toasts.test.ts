import { describe, expect, it } from 'vitest'
import { Toasts } from '../../../src-renderer/ui/toasts.svelte'

const texts = (toasts: Toasts): string[] => toasts.list.map(({ text }) => text)

describe('messages', () => {
  it('with errors stay until dismissed, however many follow', () => {
    const toasts = new Toasts()
    const gone: string[] = []
    const wrong = ['one', 'two', 'three', 'four', 'five']
    const ids = wrong.map((text) => toasts.show(text, { level: 'error', ongone: () => gone.push(text) }))
    toasts.show('Saved')
    toasts.show('Saved again')
    expect(texts(toasts)).toEqual([...wrong, 'Saved again'])
    expect(gone).toEqual([])
    toasts.dismiss(ids[0]!)
    toasts.dismiss(ids[0]!)
    expect(texts(toasts)).toEqual(['two', 'three', 'four', 'five', 'Saved again'])
    expect(gone).toEqual(['one'])
  })

  it("don't repeat the same error", () => {
    const toasts = new Toasts()
    toasts.show('No answer', { level: 'error' })
    toasts.show('Other', { level: 'error' })
    toasts.show('No answer', { level: 'error' })
    expect(texts(toasts)).toEqual(['Other', 'No answer'])
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
    expect(texts(third)).toEqual(['Written'])
    // Messages that weren't dismissed don't count as seen.
    expect(gone).toEqual([])
  })
})
