import { parseRecordKey } from '#shared/domain/collections'
import type { FieldRead } from '#shared/fields/read'
import type { Json } from '#shared/json'
import type { TableRows } from '../../replica/api'
import { outermost } from '../../context/record-names'
import type { GridColumn } from './grid-columns'
import type { CampaignsModel } from './model.svelte'
import { narrowing, parentIn } from './scope'
import { gathered } from './writing'

/** The record of a row: its key, a new one, or why it can't be found, and the column that's wrong. */
export type Found = { key: string } | { isNew: true } | { problem: string; column?: GridColumn }

/** Reads a row of the sheet: the text of a column, and the value it means. */
export interface LineReader {
  text: (path: string) => string
  read: (column: GridColumn) => FieldRead
}

export interface Matcher {
  /** Headers of the columns by which rows find their record. */
  by: readonly string[]
  find: (line: LineReader) => Found
}

/** The field that plans use for their own number of a record. */
export const planLine = 'externalId'
const rounded = /^\d+([.,]\d+)?e\+?\d+$/i

type Index = ReadonlyMap<string, readonly number[]>

/**
 * Finds the record of each row: by its ID, then by its plan line, then by its name among the records of the list.
 * @throws the signal's reason
 */
export async function matcherFor(
  model: Pick<CampaignsModel, 'kind' | 'scope' | 'app'>,
  columns: readonly (GridColumn | undefined)[],
  signal?: AbortSignal,
): Promise<Matcher> {
  const { kind, scope } = model
  const { replica } = model.app
  const given = columns.filter((one): one is GridColumn => one !== undefined)
  const named = (path: string | undefined): GridColumn | undefined => given.find((one) => one.path === path)
  const ids = kind.idFields.flatMap((path) => named(path) ?? [])
  const hasIds = ids.length === kind.idFields.length && ids.every(({ held }) => held)
  const names = [planLine, kind.title].flatMap((path) => named(path) ?? []).filter(({ held }) => held)
  // What a record belongs to never changes, so it distinguishes records with the same name.
  const around = given.filter(({ path, held }) => held && kind.cuts.some(({ field }) => field === path))

  const parent = parentIn(kind, scope)
  const paths = [...ids, ...names, ...around].map(({ path }) => path)
  const query = { ...(parent !== undefined && { parent }), columns: [...new Set([...paths, ...kind.columns])] }
  const all = await replica.table(kind.name, query)
  const listed = await replica.table(kind.name, {
    ...query,
    only: narrowing(kind, scope, (key) => replica.peek(key)) ?? {},
  })
  const idOf = (values: readonly (Json | undefined)[]): string => values.map(String).join('\n')
  const byId = hasIds
    ? await indexOf(
        all,
        scope.profile,
        ids,
        (cells, key) => (ids.length > 1 ? idOf(cells) : parseRecordKey(key).id),
        signal,
      )
    : new Map<string, number[]>()
  const byName = new Map<GridColumn, Index>()
  for (const column of names)
    byName.set(column, await indexOf(listed, scope.profile, [column], ([text]) => String(text ?? '').trim(), signal))

  const { one, many } = kind.words
  const severalWords = (count: number): string => `${count.toLocaleString('en')} ${many} match. Add a column with IDs`
  const cellOf = (row: number, { path }: GridColumn): Json | undefined => listed.cell(row, listed.columns.indexOf(path))
  const numbered = named(planLine)
  return {
    by: [...(hasIds ? ids : []), ...names].map(({ head }) => head),
    find: (line) => {
      const [typed = ''] = hasIds ? ids.map(({ path }) => line.text(path).replace(/^#/, '')) : []
      if (/^new\b/i.test(typed)) return { isNew: true }
      if (typed !== '') {
        const found = byId.get(ids.length > 1 ? idOf(ids.map((column) => valueIn(line, column))) : typed) ?? []
        if (found.length === 1) return { key: all.key(found[0]!) }
        if (rounded.test(typed)) return { problem: 'The spreadsheet rounded this ID. Format the column as text' }
        return { problem: found.length === 0 ? `No ${one} with this ID` : severalWords(found.length) }
      }
      const within = around.filter(({ path }) => line.text(path) !== '')
      for (const column of within) {
        const read = line.read(column)
        if ('problem' in read) return { problem: read.problem, column }
      }
      for (const [column, index] of byName) {
        const text = line.text(column.path)
        const named = text === '' ? [] : (index.get(text) ?? [])
        const found = named.filter((row) => within.every((place) => cellOf(row, place) === valueIn(line, place)))
        if (found.length > 1) return { problem: severalWords(found.length) }
        const [row] = found
        if (row === undefined) continue
        const wanted = numbered && column !== numbered ? line.text(numbered.path) : ''
        const held = wanted === '' ? '' : String(cellOf(row, numbered!) ?? '').trim()
        if (held !== '')
          return {
            problem: `“${text}” has plan line ${held}, not ${wanted}. To add a ${one}, use another name`,
          }
        return { key: listed.key(row) }
      }
      return { isNew: true }
    },
  }
}

function valueIn(line: LineReader, column: GridColumn): Json | undefined {
  const read = line.read(column)
  return 'value' in read ? read.value : undefined
}

/** Rows of a profile by what a function makes of their cells and key. */
async function indexOf(
  rows: TableRows,
  profile: string,
  columns: readonly GridColumn[],
  nameOf: (cells: readonly (Json | undefined)[], key: string) => string,
  signal?: AbortSignal,
): Promise<Index> {
  const index = new Map<string, number[]>()
  const places = columns.map(({ path }) => rows.columns.indexOf(path))
  await gathered(
    (function* () {
      for (let at = 0; at < rows.length; at++) {
        const key = rows.key(at)
        if (outermost(parseRecordKey(key).parent) === profile) {
          const name = nameOf(
            places.map((place) => rows.cell(at, place)),
            key,
          )
          const list = index.get(name)
          if (list) list.push(at)
          else index.set(name, [at])
        }
        yield at
      }
    })(),
    signal,
  )
  return index
}
