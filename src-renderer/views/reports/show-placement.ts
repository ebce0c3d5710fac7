import { untrack } from 'svelte'
import { parseRecordKey } from '#shared/domain/collections'
import { deliveryRuns } from '../../context/delivery-files'
import type { ReportsModel } from './model.svelte'

/**
 * Handles `resultsOf` in the URL: shows the placement's rows in the best results, or the overview if there are none.
 */
export function showPlacement(model: ReportsModel): void {
  const { replica, navigation, announce } = model.app
  const { view, params } = navigation.place
  const wanted = String(params['resultsOf'] ?? '')
  if (view !== 'reports' || wanted === '' || !model.ready) return
  untrack(() => {
    const { parent, id } = parseRecordKey(wanted)
    const profile = parent ?? ''
    const [best] = deliveryRuns(replica, model.runs, profile)
    if (best) return navigation.replace({ report: best.report, tab: 'results', run: best.run.id, placement: id })
    navigation.replace({ profile })
    announce('No daily data yet')
  })
}
