import { textAt } from '#shared/checks/checked-values'
import type { Checked } from '#shared/checks/rule'
import type { Change } from '../../../replica/api'
import { counted } from '../../../ui/counted'
import { plainLabel } from '../../../ui/plain-label'
import { longWork } from '../bulk'
import type { CampaignsModel } from '../model.svelte'
import { plain } from '../records'
import { changesFor, removalsFor } from './changes'
import { servingAt, stateOf, wishOf } from './grid'
import type { Pair, Side } from './joins'
import { readMatrix, type MatrixRecords } from './matrix-records'
import { planAssignment, planRemoval, type AdChange, type Assignment, type Per, type Shared } from './plan'

/** Pairs to assign or remove, and the keys of their placements. */
export interface Chosen {
  keys: readonly string[]
  pairs: readonly Pair[]
}

/** Effects of assigning, and the pairs that it's for. */
export interface Preview {
  records: MatrixRecords
  pairs: Pair[]
  plan: Assignment
}

/** Plans ads for those of the pairs that are possible and not assigned yet. */
export function planFor(model: CampaignsModel, records: MatrixRecords, pairs: readonly Pair[], per: Per): Preview {
  const { rows, creatives, joins } = records
  const time = { now: model.app.clock.now, zone: model.context.zone }
  const placements = new Map([...rows.values()].map((row) => [row.record.id, row]))
  const shown = new Map(creatives.map((one) => [one.id, one]))
  const wishes = pairs.flatMap((pair) => {
    const [row, creative] = [placements.get(pair.placement), shown.get(pair.creative)]
    if (!row?.flight || !creative) return []
    const slot = { ...row, placement: row.record.value }
    const isPossible = stateOf(slot, creative, pair, joins).kind === 'possible'
    return isPossible ? [wishOf(pair, row.record.value, creative.value, row.flight)] : []
  })
  const plan = planAssignment(wishes, joins.ads, per, servingAt(time))
  return { records, pairs: wishes, plan }
}

const nameOf = (found: Iterable<Checked>, id: string): string => {
  for (const one of found) if (one.id === id) return textAt(one.value, 'name') ?? `#${id}`
  return `#${id}`
}
/** `*Banner* to *Home page*`, or `6 creatives to 4 placements`. */
function pairWords({ rows, creatives }: MatrixRecords, pairs: readonly Pair[], link: 'to' | 'from'): string {
  const placements = [...rows.values()].map(({ record }) => record)
  const side = (field: keyof Pair, found: readonly Checked[]): string => {
    const ids = new Set(pairs.map((pair) => pair[field]))
    const [first] = ids
    return ids.size === 1 ? `*${plain(nameOf(found, first!))}*` : counted(ids.size, field)
  }
  return `${side('creative', creatives)} ${link} ${side('placement', placements)}`
}

/** Assigns pairs as one undo step. @param per what each new ad is for */
export async function assign(model: CampaignsModel, { keys, pairs }: Chosen, per: Per = 'placement'): Promise<void> {
  await inOneStep(model, 'Assigning', keys, (records) => {
    const preview = planFor(model, records, pairs, per)
    const { created, changed } = preview.plan
    const changes = changesFor(model, preview.plan, per, records)
    const made = created.length === 0 ? '' : ` in ${created.length === 1 ? 'a new ad' : `${created.length} new ads`}`
    const also = created.length > 0 && changed.length > 0 ? ` and ${counted(changed.length, 'other')}` : ''
    const words = pairWords(records, preview.pairs, 'to')
    return { changes, label: `Assign ${words}`, text: `Assigned ${plainLabel(words)}${made}${also}` }
  })
}

/** The side whose removal ends no other pair, because other ads keep them. Undefined if both would. */
const freeSide = ({ ends }: Shared): Side | undefined =>
  ends.creative.length === 0 ? 'creative' : ends.placement.length === 0 ? 'placement' : undefined

/** Ads that can only lose one of the pairs together with others. */
export const contested = ({ joins }: MatrixRecords, pairs: readonly Pair[]): Shared[] =>
  planRemoval(pairs, joins).shared.filter((one) => freeSide(one) === undefined)

/**
 * Removes pairs as one undo step.
 * @param shared which side to remove where an ad can only lose a pair with others. Without it, such ads are left
 */
export async function unassign(
  model: CampaignsModel,
  { keys, pairs }: Chosen,
  seen: MatrixRecords,
  shared?: Side,
): Promise<void> {
  await inOneStep(model, 'Removing', keys, (records) => {
    const plan = planRemoval(pairs, records.joins)
    const sides = plan.shared.map((one): AdChange => {
      const side = freeSide(one) ?? shared
      const { ad, placements, creatives } = one
      return {
        ad,
        placements: side === 'placement' ? placements : [],
        creatives: side === 'creative' ? creatives : [],
      }
    })
    const changed = [...plan.changed, ...sides.filter((one) => one.placements.length + one.creatives.length > 0)]
    // An ad that someone else changed since it was shown is edited upon what was shown.
    const shown = new Map(seen.joins.ads.map((ad) => [ad.key, ad]))
    const upon = changed.map((one): AdChange => {
      const before = shown.get(one.ad.key)
      const isNewer = (records.seqs.get(one.ad.key) ?? 0) > (seen.seqs.get(one.ad.key) ?? Infinity)
      return before && isNewer ? { ...one, ad: before } : one
    })
    const seqs = new Map([...records.seqs, ...upon.map(({ ad }) => [ad.key, seqOf(ad, seen, records)] as const)])
    const words = pairWords(records, pairs, 'from')
    return { changes: removalsFor(upon, seqs), label: `Remove ${words}`, text: `Removed ${plainLabel(words)}` }
  })
}

const seqOf = (ad: Checked, seen: MatrixRecords, now: MatrixRecords): number =>
  (seen.joins.ads.includes(ad) ? seen : now).seqs.get(ad.key) ?? 0

interface Step {
  changes: Change[]
  label: string
  /** Summary for the receipt. */
  text: string
}

/** Reads the records after earlier edits, and writes what follows from them as one step. */
async function inOneStep(
  model: CampaignsModel,
  title: string,
  keys: readonly string[],
  stepOf: (records: MatrixRecords) => Step,
): Promise<void> {
  const { app } = model
  await longWork(
    model,
    title,
    ({ signal, onprogress }) =>
      app.replica.inTurn(async (turn) => {
        const { changes, label, text } = stepOf(await readMatrix(model, keys, signal))
        if (changes.length === 0) {
          app.toasts.show('Nothing to change')
          return null
        }
        const done = await app.edit(changes, { label, turn }, { text, show: true }, { signal, onprogress })
        if (done && done.left.length > 0)
          app.toasts.show(`${counted(done.left.length, 'assignment')} skipped because someone else changed the ad`, {
            level: 'error',
          })
        return done
      }),
    (done) => done?.group,
  )
}
