import { parseRecordKey, recordKey } from '#shared/domain/collections'
import { Best, folded, termsOf } from '#shared/domain/search'
import type { Collection } from '#shared/facts/collection'
import { kindsOf } from '#shared/facts/kinds'
import { valueAt } from '#shared/fields/path'
import type { FoundRecord } from '../api'
import { rowsOfText, type Texts } from '../blocks/block-columns'
import type { Cell } from '../blocks/layout'
import type { Memory } from '../memory'
import { eachHolding } from './block-cells'
import type { FrameYield } from './frame-yield'
import {
  idsBeside,
  idsOfList,
  nameIn,
  namesBeside,
  namesOfBlock,
  namesOfList,
  scanBeginnings,
  scanInsides,
} from './names'

/** Rows of one kind, by number, for searching. */
interface Names {
  names: () => Texts
  byId: (id: string) => readonly number[]
  /** Undefined if the row is gone or superseded. */
  key: (row: number) => string | undefined
  cell: (row: number, path: string) => Cell
}

/** Rows of a kind, whose matches get a penalty. */
interface Part {
  part: Names
  kind: Collection
  place: number
  penalty: number
}

interface Candidate {
  place: number
  name: string
  key: string
  record: () => FoundRecord
}

/** Penalty of archived records, which ranks them below all others. */
const archivedLast = 3
/** Penalty of read-only records of the service, such as permissions, which rank below records with names by people. */
const listedLast = 6

/**
 * Finds campaign records whose IDs equal the text or whose names contain each of its words, best first. Equal matches
 * are ordered by kind, then by name. Read-only records come last. An empty text finds none, but prepares the next search.
 * @throws the signal's reason
 */
export async function findRecords(
  memory: Memory,
  text: string,
  limit: number,
  yielder: FrameYield,
): Promise<FoundRecord[]> {
  const terms = termsOf(text)
  const id = text.trim().replace(/^#/, '')
  const best = new Best<Candidate>(limit, compared)
  // Nobody searches lines of a log by name.
  const kinds = kindsOf(memory.facts).filter(({ log }) => !log)
  const parts = kinds.flatMap((kind, place) =>
    partsOf(memory, kind).map((part) => ({ part, kind, place, penalty: kind.writable ? 0 : listedLast })),
  )
  const known = new Set<string>()
  const pass = async (look: (one: Part) => void): Promise<void> => {
    for (const one of parts) {
      if (yielder.due) await yielder.take()
      look(one)
    }
  }
  const take = ({ part, kind, place, penalty }: Part, row: number, fit: number, name: string): void => {
    if (!wants(best, fit + penalty, place, name)) return
    const archived = fit > 0 && part.cell(row, 'archived') === true
    const key = part.key(row)
    if (key === undefined || known.has(key)) return
    if (fit === 0) known.add(key)
    const score = fit + penalty + (archived ? archivedLast : 0)
    best.take({ place, name, key, record: () => recordOf(part, kind, row, key) }, score)
  }
  if (terms.length === 0 || limit < 1) {
    // Fold names in advance, for the first search.
    await pass(({ part }) => void part.names())
    return []
  }
  await pass((one) => one.part.byId(id).forEach((row) => take(one, row, 0, '')))
  await pass((one) => {
    if (wants(best, 1 + one.penalty, one.place))
      scanBeginnings(one.part.names(), terms, (row, fit, name) => take(one, row, fit, name))
  })
  await pass((one) => {
    // Once only a better name could help, only look at such names.
    const bound = (): string | undefined =>
      best.worst?.rank === 2 + one.penalty && best.worst.thing.place === one.place ? best.worst.thing.name : undefined
    if (wants(best, 2 + one.penalty, one.place))
      scanInsides(one.part.names(), terms, bound, (row, fit, name) => take(one, row, fit, name))
  })
  return best.things.map(({ record }) => record())
}

/** IDs of the records of a kind whose names contain a word. */
export function idsNamed(memory: Memory, kind: Collection, word: string): Set<string> {
  const found = new Set<string>()
  for (const { names, key } of partsOf(memory, kind))
    eachHolding(names(), folded(word), (row) => {
      const known = key(row)
      if (known !== undefined) found.add(parseRecordKey(known).id)
    })
  return found
}

/** True if a match with this score, of a kind at this place, could be among the results. */
function wants({ worst }: Best<Candidate>, score: number, place: number, name = ''): boolean {
  if (!worst || score !== worst.rank) return !worst || score < worst.rank
  return place !== worst.thing.place ? place < worst.thing.place : name <= worst.thing.name
}

function compared(a: Candidate, b: Candidate): number {
  if (a.place !== b.place) return a.place - b.place
  if (a.name !== b.name) return a.name < b.name ? -1 : 1
  return a.key < b.key ? -1 : Number(a.key > b.key)
}

function recordOf(part: Names, kind: Collection, row: number, key: string): FoundRecord {
  const around = parseRecordKey(key).parent?.split('/')[0] ?? null
  // The narrowest owner.
  const within = kind.cuts
    .flatMap(({ by, field }) => {
      const id = field === undefined ? undefined : part.cell(row, field)
      return typeof id === 'string' && id !== '' ? recordKey(by, around, id) : []
    })
    .at(-1)
  return {
    key,
    name: kind.title === undefined ? '' : nameIn(part.cell(row, kind.title)),
    archived: part.cell(row, 'archived') === true,
    ...(within !== undefined && { within }),
  }
}

const none: Texts = { text: '', ends: new Uint32Array() }

function partsOf(memory: Memory, kind: Collection): Names[] {
  return memory.isTable(kind.name) ? partsOfTable(memory, kind) : [ofList(memory, kind)]
}

function ofList(memory: Memory, { name, title }: Collection): Names {
  const rows = memory.list(name)
  return {
    names: () => (title === undefined ? none : namesOfList(rows, title)),
    byId: (id) => idsOfList(rows).get(id) ?? [],
    key: (row) => rows[row]!.key,
    cell: (row, path) => valueAt(rows[row]!.value ?? undefined, path),
  }
}

function partsOfTable(memory: Memory, { name, title = '' }: Collection): Names[] {
  const table = memory.columns(name)
  const numbers = new Map(table.columns.map((path, number) => [path, number]))
  const titles = numbers.get(title)
  return table.parts().map((part): Names => {
    const { block, key, cell } = part
    const named = (row: number, path: string): Cell => {
      const number = numbers.get(path)
      return number === undefined ? undefined : cell(row, number)
    }
    const rows = { key, cell: named }
    if (block)
      return {
        ...rows,
        names: () => (titles === undefined ? none : namesOfBlock(block.head, titles)),
        byId: (id) => rowsOfText(block.head.ids, id),
      }
    return {
      ...rows,
      names: () => (titles === undefined ? none : namesBeside(part, titles)),
      byId: (id) => idsBeside(part).get(id) ?? [],
    }
  })
}
