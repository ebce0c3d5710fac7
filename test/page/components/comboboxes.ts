import { mount, unmount } from 'svelte'
import Combobox from '../../../src-renderer/ui/Combobox.svelte'
import type { Choice } from '../../../src-renderer/ui/choices'
import '../../../src-renderer/ui/tokens.css'
import '../../../src-renderer/ui/base.css'
import '../../../src-renderer/ui/controls.css'
import '../../../src-renderer/ui/layout.css'

/** The fields' events, in order. */
export const events: string[] = []

const numbered = (word: string, count: number): Choice[] =>
  Array.from({ length: count }, (_, index) => ({
    value: String(index),
    label: `${word} ${index}`,
    group: index % 2 === 0 ? 'Even' : 'Odd',
    color: index % 3 === 0 ? '#4986e7' : '#f691b2',
  }))
/** Search responses wait here until the test releases them. */
const waiting = new Map<string, (choices: readonly Choice[]) => void>()
export const searches = (): string[] => [...waiting.keys()]
export function answer(words: string, labels: readonly string[]): void {
  waiting.get(words)!(labels.map((label) => ({ value: label.toLowerCase(), label })))
  waiting.delete(words)
}

const fields: Record<string, object> = {
  Rotation: {
    value: 'even',
    options: [
      { value: 'even', label: 'Even' },
      { value: 'weighted', label: 'Weighted' },
      { value: 'off', label: 'Off', disabled: true },
      { value: 'whole', label: 'Whole' },
    ],
  },
  Add: {
    value: '',
    several: true,
    options: ['Home', 'Shop', 'Sale'].map((label) => ({ value: label.toLowerCase(), label })),
  },
  Range: { value: '', unset: true, shown: '1 to 7 June', options: [{ value: 'week', label: 'Last 7 days' }] },
  Placement: { value: '70', options: numbered('Placement', 10_000) },
  'Landing page': {
    value: '7',
    shown: 'Autumn page',
    search: (words: string) => new Promise<readonly Choice[]>((found) => waiting.set(words, found)),
    oncreate: (words: string) => events.push(`new ${words}`),
    createLabel: 'New landing page',
  },
}

export function start(): void {
  const target = document.querySelector('main')!
  for (const [name, props] of Object.entries(fields)) {
    const place = document.createElement('div')
    place.style.cssText = 'width: 240px; margin: 12px'
    target.append(place)
    mount(Combobox, {
      target: place,
      props: { 'aria-label': name, onpick: (value: string) => events.push(`${name} ${value}`), ...props } as never,
    })
  }
  const cell = document.createElement('div')
  cell.id = 'cell'
  cell.style.cssText = 'position: fixed; right: 8px; bottom: 8px; width: 120px; height: 28px'
  const next = document.createElement('button')
  next.textContent = 'Next cell'
  target.append(cell, next)
}

/** Shows a cell editor, which closes when editing ends. */
export function edit(): void {
  const field = mount(Combobox, {
    target: document.querySelector('#cell')!,
    props: {
      'aria-label': 'Site',
      value: '3',
      options: numbered('Site', 40),
      cell: true,
      ontype: (words: string | null) => events.push(`typed ${words}`),
      onend: (picked: string | undefined, to: string | null) => {
        events.push(`${picked ?? 'nothing'}, ${to ?? 'here'}`)
        void unmount(field)
      },
    } as never,
  })
}
