import { expect, it } from 'vitest'
import { cellByKey } from '../../../src-renderer/ui/cell-keys'

const grid = { selection: { row: 50, column: 3 }, rows: 100, columns: 9, page: 20 }
const to = (key: string, held: { ctrlKey?: boolean; metaKey?: boolean } = {}): unknown =>
  cellByKey({ key, ctrlKey: false, metaKey: false, ...held }, grid)

it.each([
  ['ArrowDown', [51, 3], [99, 3]],
  ['ArrowUp', [49, 3], [0, 3]],
  ['ArrowRight', [50, 4], [50, 8]],
  ['ArrowLeft', [50, 2], [50, 0]],
  ['Home', [50, 0], [0, 0]],
  ['End', [50, 8], [99, 8]],
  ['PageDown', [70, 3], [70, 3]],
  ['Enter', undefined, undefined],
])('%s moves to %j, with Ctrl to %j', (key, alone, far) => {
  expect([to(key), to(key, { ctrlKey: true }), to(key, { metaKey: true })]).toEqual([alone, far, far])
})
