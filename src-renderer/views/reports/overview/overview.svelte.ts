import { headline } from '#shared/pacing/headline'
import { trendOf } from '#shared/pacing/delivered-days'
import { anomalyCount } from '#shared/pacing/anomaly-lines'
import { plannedDeliveries } from '#shared/pacing/planned'
import { hasPace } from '#shared/pacing/pacing-rows'
import { reportOfStarter, starterNamed } from '#shared/facts/report-starters'
import type { Run } from '#shared/reports/runs'
import { deliveryRuns, lastFullDay, type DeliveryRun } from '../../../context/delivery-files'
import { dayMs, dateOf, monthName, weekdayName } from '../../../ui/dates'
import type { ListedReport, ReportsModel } from '../model.svelte'
import { onSide } from '../pacing/pacing-filter'
import { FollowedSummary } from './followed-summary.svelte'

/** Maximum number of days in the sparkline. */
const drawnDays = 30
const week = 7

/** State of the overview of one profile and run. Create it in a component. */
export class Overview {
  readonly #model: ReportsModel
  readonly followed: FollowedSummary

  constructor(model: ReportsModel) {
    this.#model = model
    this.followed = new FollowedSummary(model.app, () => {
      const { run, profile } = this
      return run && profile !== undefined ? { ...run, profile } : undefined
    })
  }

  readonly #params = $derived.by(() => this.#model.app.navigation.place.params)
  /** Suitable runs by profile. */
  readonly #runsOf = $derived.by(
    () =>
      new Map(
        this.#model.profiles.map(
          ({ id }) => [id, deliveryRuns(this.#model.app.replica, this.#model.runs, id)] as const,
        ),
      ),
  )
  /** The requested profile, else the first with results. */
  readonly profile = $derived.by((): string | undefined => {
    const { profiles, usualProfile } = this.#model
    const wanted = profiles.find(({ id }) => id === this.#params['profile'])
    return (wanted ?? profiles.find(({ id }) => this.#runsOf.get(id)!.length > 0))?.id ?? usualProfile
  })
  readonly runs = $derived.by((): readonly DeliveryRun[] => this.#runsOf.get(this.profile ?? '') ?? [])
  readonly run = $derived.by(
    (): DeliveryRun | undefined => this.runs.find(({ run }) => run.id === this.#params['file']) ?? this.runs[0],
  )
  /** Reports of the profile that have daily deliveries, with results or without. */
  readonly #reports = $derived.by((): readonly ListedReport[] =>
    this.#model.reports.filter(
      ({ service, profile, definition }) =>
        service === 'trafficking' && profile === this.profile && plannedDeliveries(definition) !== undefined,
    ),
  )
  /** Report of the shown run, or the one to run. */
  readonly report = $derived.by((): ListedReport | undefined => {
    const shown = this.run?.report
    return shown === undefined
      ? (this.#reports.find(({ active }) => active) ?? this.#reports[0])
      : this.#model.reports.find(({ key }) => key === shown)
  })
  /** Last full day of the previous run. */
  readonly #earlier = $derived.by((): number | undefined => {
    const { file } = this.followed
    if (!file || !this.report) return undefined
    const days = this.report.runs
      .filter(({ state, range }) => state === 'kept' && range)
      .map((run: Run) => lastFullDay(run, file.zone))
      .filter((day) => day !== undefined && day < file.asOf)
    return days.length === 0 ? undefined : Math.max(...(days as number[]))
  })
  readonly headline = $derived.by((): string => {
    const { file, summary } = this.followed
    if (!file || !summary) return ''
    const earlier = this.#earlier ?? file.asOf - week
    return headline({
      trend: trendOf(file.days, file.from, earlier, file.asOf),
      since: this.#earlier === undefined ? 'from the previous week' : sinceWords(earlier, file.asOf),
      judged: summary.rows.filter(hasPace).length,
      behind: onSide(summary.rows, 'behind').length,
      notes: anomalyCount(summary.notes),
    })
  })
  readonly spark = $derived.by(() => {
    const { file } = this.followed
    if (!file) return undefined
    const from = Math.max(file.from, file.asOf - drawnDays + 1)
    return { values: [...file.days.impressions(from, file.asOf)], first: dateText(from), last: dateText(file.asOf) }
  })

  /** Runs the report for the overview, and creates it if necessary. */
  async bring(): Promise<void> {
    const { app } = this.#model
    if (this.report) {
      await this.#model.run(this.report)
      return
    }
    const { profile } = this
    const starter = starterNamed('daily')
    if (profile === undefined || !starter) return
    const made = await app.edit(
      [{ kind: 'create', collection: 'reports', parent: profile, value: reportOfStarter(starter) }],
      { label: `New report *${starter.name}*` },
    )
    const listed = made && this.#model.listed(made.keys[0]!)
    if (listed) await this.#model.run(listed)
  }

  show(more: { profile?: string; file?: string }): void {
    const { navigation } = this.#model.app
    navigation.replace({ ...navigation.place.params, ...more })
  }
}

const dateText = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10)

/** `since Tuesday`, `since 2 June`. */
function sinceWords(day: number, asOf: number): string {
  const at = day * dayMs
  return `since ${asOf - day < week ? weekdayName(at) : `${dateOf(at)} ${monthName(at)}`}`
}
