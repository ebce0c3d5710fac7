import type { CollectionName } from '#shared/domain/collections'
import { faultOf } from '#shared/fault'
import { kindsOf } from '#shared/facts/kinds'
import { valueAt } from '#shared/fields/path'
import type { Json } from '#shared/json'
import { systemClock } from '#shared/time/clock'
import { namesIn } from '../../src-renderer/context/record-names'
import { nanosWords } from '../../src-renderer/context/record-words'
import type { Change, EditOptions, Replica, Work } from '../../src-renderer/replica/api'
import { computedColumns } from '../../src-renderer/views/campaigns/computed'
import { draftMarks } from '../../src-renderer/views/campaigns/draft-marks'
import { gridColumns } from '../../src-renderer/views/campaigns/grid-columns'
import { LongWork } from '../../src-renderer/context/long-work.svelte'
import type { CampaignsModel } from '../../src-renderer/views/campaigns/model.svelte'
import { plainLabel } from '../../src-renderer/ui/plain-label'
import type { Toast } from '../../src-renderer/ui/toasts.svelte'
import { Saving } from '../../src-renderer/views/campaigns/saving.svelte'

const dayMs = 86_400_000

interface Receipt {
  text?: string
  show?: boolean
  onfailed?: (why: string) => void
}

export interface LooseModel {
  model: CampaignsModel
  /** Messages that were shown and announced. */
  messages: string[]
  /** Presses the button of the last message. */
  press(): void
  /** Selects a range of cells, including both ends. */
  select(top: number, bottom: number, left: string, right?: string): void
  /** The current value of a row's record at a path. */
  value(row: number, path: string): Promise<Json | undefined>
}

/** The campaigns model of a real replica for one record type, as the view's actions see it, without a window. */
export async function campaignsModel(replica: Replica, profile: string, name: CollectionName): Promise<LooseModel> {
  const kind = replica.facts.of(name)
  const columns = gridColumns(kind)
  const held = columns.filter((column) => column.held && !column.path.startsWith('fx.')).map(({ path }) => path)
  const messages: string[] = []
  let button: Toast['action']
  const now = systemClock.now()
  const context = { zone: 'Europe/Berlin', hour12: false, today: Math.floor(now / dayMs) * dayMs }
  const today = new Date(context.today).toISOString().slice(0, 10)
  const rows = await replica.table(name, {
    parent: profile,
    columns: [...new Set([...held, ...kind.columns])],
    computed: computedColumns(name, held, { today, zone: context.zone }, () => undefined),
  })
  const range = { top: 0, bottom: 0, left: 0, right: 0 }
  const app = {
    replica,
    account: replica.account,
    clock: { now },
    settings: { values: { sheetHeads: {} } },
    preferences: { zone: context.zone },
    announce: (text: string) => void messages.push(text),
    toasts: {
      list: [],
      show: (text: string, { action }: Partial<Toast> = {}) => {
        messages.push(text)
        button = action
      },
    },
    edit: async (changes: readonly Change[], options: EditOptions, receipt: Receipt = {}, work?: Work) => {
      try {
        const done = await replica.edit(changes, options, work)
        if (receipt.show) messages.push(receipt.text ?? plainLabel(options.label))
        return done
      } catch (error) {
        if (!receipt.onfailed) throw error
        receipt.onfailed(faultOf(error).message)
        return null
      }
    },
    undo: (only?: string) => replica.undo(only).then((label) => label !== null),
  }
  const model = {
    app,
    kind,
    rows,
    columns,
    context,
    zone: context.zone,
    terms: { currency: 'EUR' },
    amount: nanosWords,
    length: rows.length,
    get marks() {
      return draftMarks(replica.facts, replica.outbox(), (key) => replica.peek(key))
    },
    scope: { profile },
    kinds: kindsOf(replica.facts),
    around: [replica.facts.of('advertisers'), replica.facts.of('campaigns')],
    namesAround: () => namesIn(replica, profile),
    selection: { range, wholeRows: false },
    work: new LongWork(),
    contextOf: () => ({ ...context, nameOf: namesIn(replica, profile) }),
    titleOf: ({ value }: { value: { name?: unknown } | null }) => String(value?.name ?? ''),
    saving: new Saving(),
    along: { ask: () => Promise.resolve(false) },
    today,
    cell:
      (row: number, from = rows) =>
      (path: string) => {
        const column = from.columns.indexOf(path)
        return column < 0 ? undefined : from.cell(row, column)
      },
    selectedKeys: () =>
      Array.from({ length: range.bottom - range.top + 1 }, (_unused, row) => rows.key(range.top + row)),
  } as unknown as CampaignsModel
  const at = (path: string): number => columns.findIndex((column) => column.path === path)
  return {
    model,
    messages,
    press: () => void button?.run(),
    select: (top, bottom, left, right = left) =>
      Object.assign(range, { top, bottom, left: at(left), right: at(right) }),
    value: async (row, path) => valueAt((await replica.read(rows.key(row)))?.value ?? undefined, path),
  }
}
