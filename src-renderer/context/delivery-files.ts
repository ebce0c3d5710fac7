import { recordKey } from '#shared/domain/collections'
import { FaultError } from '#shared/fault'
import { DeliveredDays } from '#shared/pacing/delivered-days'
import { dayNumber } from '#shared/pacing/pacing'
import type { Run } from '#shared/reports/runs'
import { dateOfWall, isZone, wallOfInstant } from '#shared/time/zones'
import { ask } from '../bridge'
import type { Replica } from '../replica/api'
import type { AppContext } from './context'

/** A run whose results should contain each placement's delivery by day. */
export interface DeliveryRun {
  run: Run
  /** The key of its report. */
  report: string
  /** True if the report had filters when it ran: placements missing in its results may have delivered anyway. */
  narrowed: boolean
}

/** Runs of a profile, best first: those with all placements, then the newest, then those with the most days. */
export function deliveryRuns(
  { peek }: Pick<Replica, 'peek'>,
  runs: readonly Run[],
  profile: string,
  activityId?: string,
): readonly DeliveryRun[] {
  return runs
    .flatMap((run): DeliveryRun[] => {
      const { reportId, profileId, hasFile, deliveries } = run
      if (!hasFile || !deliveries || reportId === undefined || profileId !== profile) return []
      if (activityId !== undefined && !deliveries.activities.includes(activityId)) return []
      const row = peek(recordKey('reports', profile, reportId))
      return row?.value ? [{ run, report: row.key, narrowed: deliveries.narrowed }] : []
    })
    .sort(
      (a, b) =>
        Number(a.narrowed) - Number(b.narrowed) ||
        compare(b.run.range?.to ?? '', a.run.range?.to ?? '') ||
        compare(a.run.range?.from ?? '', b.run.range?.from ?? '') ||
        compare(b.run.id, a.run.id),
    )
}
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Deliveries in results. Days since 1970. */
export interface DeliveryFile {
  run: Run
  days: DeliveredDays
  from: number
  /** The last full day. */
  asOf: number
  /** Time zone of the days. */
  zone: string
  /** Currency of all amounts, if known. */
  currency: string | undefined
}

/**
 * Last complete day of a run: the last of its range, except the day of the request, which continued. The download may
 * be days later. Undefined if the run doesn't have days.
 */
export function lastFullDay(
  { range, asked, finished = asked, requested = finished }: Run,
  zone: string,
): number | undefined {
  const last = dayNumber(range?.to)
  const made = dayNumber(dateOfWall(wallOfInstant(requested, isZone(zone) ? zone : 'UTC')))
  return last === undefined || made === undefined ? undefined : Math.min(last, made - 1)
}

/** Reads files of deliveries away from the window; the last one stays at hand. */
export class DeliveryFiles {
  readonly #app: Pick<AppContext, 'bridge'>
  #last: { id: string; file: Promise<DeliveryFile> } | undefined

  constructor(app: Pick<AppContext, 'bridge'>) {
    this.#app = app
  }

  /** @throws FaultError if the file is gone, or has no deliveries */
  read(run: Run): Promise<DeliveryFile> {
    if (this.#last?.id !== run.id) {
      const file = this.#read(run)
      this.#last = { id: run.id, file }
      file.catch(() => {
        if (this.#last?.file === file) this.#last = undefined
      })
    }
    return this.#last.file
  }

  async #read(run: Run): Promise<DeliveryFile> {
    const { bridge } = this.#app
    const { table, about } = await ask(bridge, 'results/open', { accountId: run.accountId, runId: run.id })
    try {
      const days = new DeliveredDays(await ask(bridge, 'results/deliveries', { table }))
      const said = new Map(about)
      const { span } = days
      const zone = said.get('Report Time Zone') ?? 'UTC'
      const asOf = lastFullDay(run, zone) ?? span?.to
      const from = dayNumber(run.range?.from) ?? span?.from
      if (asOf === undefined || from === undefined)
        throw new FaultError({ code: 'invalid', message: 'This file has no rows and no date range.' })
      return { run, days, from, asOf, zone, currency: said.get('Currency') }
    } finally {
      void ask(bridge, 'results/close', { table }).catch(() => undefined)
    }
  }
}

const all = new WeakMap<object, DeliveryFiles>()

/** Delivery files of the current account, shared by all views. */
export function deliveryFilesOf(app: Pick<AppContext, 'bridge' | 'replica'>): DeliveryFiles {
  const known = all.get(app.replica)
  if (known) return known
  const made = new DeliveryFiles(app)
  all.set(app.replica, made)
  return made
}
