import { untrack } from 'svelte'
import { parseRecordKey } from '#shared/domain/collections'
import { deliveryRuns } from '../../context/delivery-files'
import type { ReportsModel } from './model.svelte'

/** Where somebody came for the figures of a placement: goes on to them in the best file, or to what brings one. */
export function showPlacement(model: ReportsModel): void {
  const { replica, navigation, announce } = model.app
  const { view, params } = navigation.place
  const wanted = String(params['figuresOf'] ?? '')
  if (view !== 'reports' || wanted === '' || !model.ready) return
  untrack(() => {
    const { parent, id } = parseRecordKey(wanted)
    const profile = parent ?? ''
    const [best] = deliveryRuns(replica, model.runs, profile)
    if (best) return navigation.replace({ report: best.report, tab: 'figures', run: best.run.id, placement: id })
    navigation.replace({ profile })
    announce('No daily data yet')
  })
}
