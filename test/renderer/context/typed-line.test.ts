import { describe, expect, it } from 'vitest'
import { TypedLine } from '../../../src-renderer/context/typed-line.svelte'

function storageOf(items: Record<string, string> = {}): Pick<Storage, 'getItem' | 'setItem'> {
  return { getItem: (key) => items[key] ?? null, setItem: (key, value) => void (items[key] = value) }
}

describe('a line that is typed but not added', () => {
  it('is there again after its view closed, until it is added', () => {
    const storage = storageOf()
    new TypedLine(storage, 'a', 'task').text = 'Call the pri'
    const again = new TypedLine(storage, 'a', 'task')
    expect(again.text).toBe('Call the pri')
    again.text = ''
    expect(new TypedLine(storage, 'a', 'task').text).toBe('')
  })

  it('belongs to its field and account', () => {
    const storage = storageOf()
    new TypedLine(storage, 'a', 'task').text = 'Call the printer'
    new TypedLine(storage, 'a', 'event').text = 'Lunch'
    expect(new TypedLine(storage, 'a', 'task').text).toBe('Call the printer')
    expect(new TypedLine(storage, 'b', 'task').text).toBe('')
  })

  it('moves to the new name of its field, with what was typed there', () => {
    const storage = storageOf()
    new TypedLine(storage, 'a', 'sharing 7').text = 'mina@'
    const line = new TypedLine(storage, 'a', 'sharing local:1')
    line.text = 'jonas@'
    line.moveTo('sharing 7')
    expect(line.text).toBe('jonas@ mina@')
    expect(new TypedLine(storage, 'a', 'sharing local:1').text).toBe('')
    expect(new TypedLine(storage, 'a', 'sharing 7').text).toBe('jonas@ mina@')
    line.moveTo('sharing 7')
    expect(line.text).toBe('jonas@ mina@')
  })

  it('keeps a line of safe mode and an earlier one', () => {
    const stored = JSON.stringify([
      { place: 'task', text: 'typed in safe mode' },
      { place: 'event', text: 'Lunch' },
      { place: 'task', text: 'typed before' },
    ])
    expect(new TypedLine(storageOf({ 'flightplan.lines.a': stored }), 'a', 'task').text).toBe(
      'typed in safe mode typed before',
    )
  })

  it('starts empty with damaged storage', () => {
    for (const damaged of ['{', '7', '[{"place":"task"}, null]'])
      expect(new TypedLine(storageOf({ 'flightplan.lines.a': damaged }), 'a', 'task').text).toBe('')
  })

  it('stays in the field if storage is full', () => {
    const full = {
      getItem: () => null,
      setItem: () => {
        throw new Error('full')
      },
    }
    const line = new TypedLine(full, 'a', 'task')
    line.text = 'Call the printer'
    expect(line.text).toBe('Call the printer')
  })
})
