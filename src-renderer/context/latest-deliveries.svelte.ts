import type { Run } from '#shared/reports/runs'
import { ask } from '../bridge'
import type { AppContext } from './context'
import { deliveryFilesOf, deliveryRuns, type DeliveryFile, type DeliveryRun } from './delivery-files'

/** Scope of the deliveries: a profile, and an activity whose conversions they must have. */
export interface DeliveriesFor {
  profile: string
  activityId?: string | undefined
}

/** The newest results on this computer that have each placement's delivery by day. */
export class LatestDeliveries {
  #runs = $state.raw<readonly Run[] | null>(null)
  #file = $state.raw<DeliveryFile | null>(null)
  /** True if they couldn’t be read. */
  trouble = $state(false)

  /** @param wanted undefined as long as they aren't needed */
  constructor(
    private readonly app: Pick<AppContext, 'bridge' | 'replica' | 'account'>,
    private readonly wanted: () => DeliveriesFor | undefined,
  ) {}

  readonly #isWanted = $derived.by(() => this.wanted() !== undefined)
  readonly #best = $derived.by((): DeliveryRun | undefined => {
    const wanted = this.wanted()
    return this.#runs && wanted
      ? deliveryRuns(this.app.replica, this.#runs, wanted.profile, wanted.activityId)[0]
      : undefined
  })
  /** Undefined if there are none, and while they're loading. `narrowed`: they may lack some placements. */
  readonly found = $derived.by((): (DeliveryFile & { narrowed: boolean; report: string }) | undefined => {
    const [best, file] = [this.#best, this.#file]
    return best && file?.run.id === best.run.id ? { ...file, narrowed: best.narrowed, report: best.report } : undefined
  })
  readonly loading = $derived.by(() => this.#runs === null || (this.#best !== undefined && this.found === undefined))

  /** Reads them until the calling component unmounts. */
  follow(): void {
    const { app } = this
    $effect(() => {
      if (!this.#isWanted) return
      let gone = false
      const read = (): void =>
        void ask(app.bridge, 'reports/runs', { accountId: app.account.id }).then(
          (answer) => !gone && ((this.#runs = answer.runs), (this.trouble = false)),
          () => !gone && (this.trouble = true),
        )
      read()
      const off = app.bridge.on('reports/changed', ({ run }) => run.state === 'kept' && read())
      return () => {
        gone = true
        off()
      }
    })
    const bestId = $derived(this.#best?.run.id)
    $effect(() => {
      const run = this.#runs?.find(({ id }) => id === bestId)
      if (!run) return
      let gone = false
      deliveryFilesOf(app)
        .read(run)
        .then(
          (read) => !gone && ((this.#file = read), (this.trouble = false)),
          () => !gone && (this.trouble = true),
        )
      return () => (gone = true)
    })
  }
}
