import type { Collection } from '#shared/facts/collection'
import { collectionOf } from '#shared/facts/references'
import { fieldAt } from '#shared/fields/path'
import { headOf } from '../../context/record-words'

export interface GridColumn {
  path: string
  head: string
  /** Pixels that it needs. */
  width: number
  /** Numbers stand at the right. */
  right: boolean
}

/** Columns of a grid with readable heads, as wide as what stands in them usually is. */
export function columnsOf(collection: Collection, paths: readonly string[]): GridColumn[] {
  return paths.map((path) => ({
    path,
    head: headOf(path),
    width: widthOf(collection, path),
    right: isNumber(collection, path),
  }))
}

function isNumber(collection: Collection, path: string): boolean {
  const field = fieldAt(collection, path)
  return field?.type === 'integer' || field?.type === 'number' || path.endsWith('Nanos')
}

function widthOf(collection: Collection, path: string): number {
  const field = fieldAt(collection, path)
  const name = path.split('.').at(-1)!
  if (path === collection.title) return 260
  if (collectionOf(name)) return 180
  if (field?.ref === 'Size') return 104
  if (field?.ref || field?.type === 'array' || field?.type === 'object') return 200
  if (field?.format === 'date-time' || field?.unit) return 176
  if (field?.format === 'date') return 140
  if (field?.type === 'boolean') return 96
  if (field?.enum) return 156
  if (field?.format === 'int64' || isNumber(collection, path)) return 120
  return 168
}
