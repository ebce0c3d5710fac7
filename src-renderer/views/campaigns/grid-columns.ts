import { headOf } from '#shared/fields/heads'
import { parseRecordKey } from '#shared/domain/collections'
import type { Collection } from '#shared/facts/collection'
import type { SheetWidth } from '#shared/facts/sheet'
import { inCell, kindAt, type FieldKind } from '#shared/fields/kind'
import { fieldAt } from '#shared/fields/path'
import { computedOf, computedPathsOf, headOfComputed, isComputed } from './computed'

export interface GridColumn {
  path: string
  head: string
  /** Width, in CSS pixels. */
  width: number
  /** True if the cells are right-aligned, as numbers are. */
  right: boolean
  kind: FieldKind | 'computed'
  /** True if the cells can be edited, unless the record forbids it. */
  typed: boolean
  /** True if the column is in memory, so it can be sorted and filtered. Otherwise its values load with each record. */
  held: boolean
}

export const isReference = (kind: GridColumn['kind'] | undefined): boolean =>
  kind === 'reference' || kind === 'references'

const withParts = new Set<GridColumn['kind']>(['part', 'parts', 'map', 'any', 'computed'])
/** True if the cells aren’t single values of the record. */
export const hasParts = (kind: GridColumn['kind']): boolean => withParts.has(kind)

/** The user's column settings for one kind of record. */
export interface ColumnChoice {
  /** Paths in order. Defaults to the columns of the sheet. */
  shown?: readonly string[]
  widths?: Readonly<Record<string, number>>
}

const pixels: Readonly<Record<SheetWidth, number>> = { tiny: 92, small: 124, medium: 168, large: 224, wide: 320 }
/** Clipped text in these columns would be useless. */
const minOf: Readonly<Partial<Record<GridColumn['kind'], number>>> = { date: 140, moment: 180, money: 116 }
export const minColumnWidth = 48
const minOfFirst = 124
export const maxColumnWidth = 800

export function gridColumns(collection: Collection, { shown, widths = {} }: ColumnChoice = {}): GridColumn[] {
  const known = new Map(collection.sheet.columns.map((one) => [one.path, one]))
  const wanted = shown ?? [...known.keys()]
  return wanted.flatMap((path): GridColumn[] => {
    const sheet = known.get(path)
    const kind = isComputed(path) ? 'computed' : kindAt(collection, path)
    if (kind === undefined) return []
    return [
      {
        path,
        head: headFor(collection, path),
        width: widths[path] ?? Math.max(pixels[sheet?.width ?? usualWidth(collection, path)], minOf[kind] ?? 0),
        right: kind === 'number' || kind === 'money' || computedOf(path)?.format !== undefined,
        kind,
        typed: kind !== 'computed' && inCell.has(kind),
        held: kind === 'computed' || collection.keep === 'whole' || collection.columns.includes(path),
      },
    ]
  })
}

/** Part of the grid that its first column, which doesn’t scroll, may cover. */
const firstShare = 0.45

/**
 * Columns for a grid of this width in pixels: in a narrow one, the first leaves room for the others, unless someone chose its
 * width.
 */
export function fitColumns(
  columns: readonly GridColumn[],
  width: number,
  { widths = {} }: ColumnChoice = {},
): readonly GridColumn[] {
  const [first, ...others] = columns
  const max = Math.max(minOfFirst, Math.round(width * firstShare))
  if (!first || first.width <= max || widths[first.path] !== undefined) return columns
  return [{ ...first, width: max }, ...others]
}

/**
 * Columns of a list in a scope, unless someone chose others. What a record belongs to comes after its name where the
 * scope doesn’t say it, because names repeat from campaign to campaign. Undefined for the columns of the sheet.
 */
export function usualColumns({ sheet, cuts }: Collection, within: string | undefined): string[] | undefined {
  const inner = cuts.filter(({ field }) => field !== undefined).at(-1)
  const paths = sheet.columns.map(({ path }) => path)
  if (!inner || sheet.place === undefined || paths.includes(inner.field!)) return undefined
  if (within !== undefined && parseRecordKey(within).collection === inner.by) return undefined
  return [...paths.slice(0, 1), inner.field!, ...paths.slice(1)]
}

export function headFor({ sheet }: Pick<Collection, 'sheet'>, path: string): string {
  return sheet.columns.find((one) => one.path === path)?.label ?? headOfComputed(path) ?? headOf(path)
}

function usualWidth(collection: Collection, path: string): SheetWidth {
  const kind = kindAt(collection, path)
  if (path === collection.title) return 'wide'
  if (computedOf(path)?.format) return 'small'
  if (kind === 'yesNo') return 'tiny'
  if (kind === 'number' || kind === 'money' || kind === 'date' || kind === 'size' || kind === 'choice') return 'small'
  return (fieldAt(collection, path)?.maxLength ?? 0) > 300 ? 'large' : 'medium'
}

/** All available columns: those of the sheet, other computed ones, and other fields outside of parts. */
export function allColumns(collection: Collection): GridColumn[] {
  const { fields } = collection.table.schemas[collection.schema]!
  const others = Object.keys(fields).filter(
    (name) =>
      name !== 'kind' && name !== 'etag' && !name.endsWith('DimensionValue') && kindAt(collection, name) !== 'part',
  )
  const paths = [...collection.sheet.columns.map(({ path }) => path), ...computedPathsOf(collection.name), ...others]
  return gridColumns(collection, { shown: [...new Set(paths)] })
}
