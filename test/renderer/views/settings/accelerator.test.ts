import { expect, it } from 'vitest'
import { acceleratorOf, acceleratorWords } from '../../../../src-renderer/views/settings/accelerator'

const press = (code: string, ...held: ('ctrlKey' | 'altKey' | 'shiftKey' | 'metaKey')[]) =>
  acceleratorOf({
    ...{ code, ctrlKey: false, altKey: false, shiftKey: false, metaKey: false },
    ...Object.fromEntries(held.map((key) => [key, true])),
  })

it('pressed keys become a shortcut that typing elsewhere doesn’t trigger', () => {
  expect(press('Space', 'ctrlKey', 'altKey')).toBe('Control+Alt+Space')
  expect(press('KeyQ', 'ctrlKey', 'shiftKey')).toBe('Control+Shift+Q')
  expect(press('Digit5', 'metaKey')).toBe('Super+5')
  expect(press('F9', 'altKey')).toBe('Alt+F9')
  expect(press('KeyQ')).toBeNull()
  expect(press('KeyQ', 'shiftKey')).toBeNull()
  expect(press('ControlLeft', 'ctrlKey')).toBeNull()
  expect(acceleratorWords('Control+Alt+Space')).toBe('Ctrl+Alt+Space')
  expect(acceleratorWords('')).toBe('None')
})
