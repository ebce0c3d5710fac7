import { untrack } from 'svelte'
import { parseRecordKey, recordKey } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import type { RecordFile } from '#shared/pacing/record-pacing'
import type { Replica, Row, TableQuery } from '../../replica/api'
import { frameYieldOf } from './frame-yield'
import { pacingCell, type PacingCell } from './pacing-cell'
import { RecordCache } from './record-cache'
import { readAll } from './records'
import { rereading } from './rereading'

/** Delay between a change and the next reading, in milliseconds. */
const pause = 500
/** Retry delay after a failed reading, in milliseconds. */
const patience = 5_000

/** Placements to judge, and the results to judge them by. */
export interface PacingFor {
  query: Pick<TableQuery, 'parent' | 'only'>
  file: RecordFile
}

/** Pacing of the placements in a list, read in the background. */
export class Pacings {
  /** By placement ID. Null until they're read. */
  known = $state.raw<ReadonlyMap<string, PacingCell> | null>(null)
  #cells = new WeakMap<Row, { group: JsonObject | undefined; file: RecordFile; cell: PacingCell }>()

  /** @param wanted undefined as long as no column needs it, and while results are loading */
  constructor(
    private readonly replica: Pick<Replica, 'peek' | 'readAll' | 'remoteSeq' | 'subscribe' | 'table'>,
    private readonly wanted: () => PacingFor | undefined,
    private readonly pending: () => Iterable<string>,
  ) {}

  /** Reads until the calling component unmounts. */
  follow(): void {
    $effect(() => {
      const wanted = this.wanted()
      return wanted && untrack(() => this.start(wanted))
    })
  }

  /** Reads until the returned function is called. */
  start(wanted: PacingFor): () => void {
    const { replica, pending } = this
    const cache = new RecordCache(replica)
    const work = rereading({
      ...{ replica, cache, pending, topics: ['placements', 'placementGroups'], pause: () => pause },
      read: async (signal) => {
        const cells = await this.#read(wanted, cache, signal)
        if (!signal.aborted && !isSame(this.known, cells)) this.known = cells
      },
      failed: () => patience,
    })
    work.now()
    return work.end
  }

  async #read({ query, file }: PacingFor, cache: RecordCache, signal: AbortSignal): Promise<Map<string, PacingCell>> {
    const { replica } = this
    const table = await replica.table('placements', { ...query, columns: [] }, signal)
    const keys = Array.from({ length: table.length }, (_unused, at) => table.key(at))
    const rows = await cache.read(keys, signal)
    const groupOf = ({ parent, value }: Row): string | undefined => {
      const id = value?.['placementGroupId']
      return typeof id === 'string' && id !== '' ? recordKey('placementGroups', parent, id) : undefined
    }
    const groupKeys = new Set(Array.from(rows.values(), groupOf).filter((key) => key !== undefined))
    const groups = await readAll(replica, [...groupKeys], { signal })
    const yielder = frameYieldOf(signal)
    const cells = new Map<string, PacingCell>()
    for (const [key, row] of rows) {
      if (yielder.due) await yielder.take()
      const group = groups.get(groupOf(row) ?? '')?.value ?? undefined
      let known = this.#cells.get(row)
      if (known?.file !== file || known?.group !== group) {
        known = { group, file, cell: pacingCell(row.value!, group, file) }
        this.#cells.set(row, known)
      }
      cells.set(parseRecordKey(key).id, known!.cell)
    }
    return cells
  }
}

const isSame = (before: ReadonlyMap<string, PacingCell> | null, now: ReadonlyMap<string, PacingCell>): boolean =>
  before?.size === now.size && [...now].every(([id, cell]) => before.get(id)?.sentence === cell.sentence)
