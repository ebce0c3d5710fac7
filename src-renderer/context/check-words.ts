import type { Facts } from '#shared/facts/facts'
import type { CheckResult } from '../replica/check-result'
import { counted } from '../ui/counted'
import { saidWords } from './lane-words'

type Repair = CheckResult['repairs'][number]

/** Types of difference, with their texts for counts and for repairs. */
const kinds = {
  hole: { found: 'missing', done: 'restored' },
  stale: { found: 'outdated', done: 'updated' },
  ghost: { found: 'deleted', done: 'removed' },
} as const
/** Maximum number of lists that are named. */
const maxLists = 3

/**
 * The result of a sync check in a few sentences, or undefined for a daily check that repaired nothing.
 * @param moment when it ended, in words
 */
export function checkWords(
  facts: Facts,
  { lists, asked, repairs, fault }: CheckResult,
  moment: string,
): string | undefined {
  if (!asked && repairs.length === 0) return undefined
  const stopped = fault ? [`Couldn’t check all lists (${moment}).`, saidWords(fault)] : []
  if (repairs.length === 0)
    return fault ? stopped.join(' ') : `Checked ${counted(lists, 'list')} (${moment}). Everything matches.`
  const names = [...new Set(repairs.map((repair) => listWords(facts, repair)))]
  const named = names.slice(0, maxLists).map((name) => {
    return `${name}: ${countWords(repairs.filter((repair) => listWords(facts, repair) === name))}.`
  })
  const more = names.length - named.length
  const unnamed = more > 0 ? [`${counted(more, 'more list')} repaired.`] : []
  const head = fault ? [] : [`Sync check (${moment}).`]
  return [...head, ...named, ...unnamed, ...stopped].join(' ')
}

/** Name, list, and repair of each repaired record. */
export const repairWords = (facts: Facts, { repairs }: CheckResult): string[] =>
  repairs.map((repair) => {
    const { collection, name, id, difference } = repair
    return `${name ?? `${facts.of(collection).words.one} ${id}`} (${listWords(facts, repair)}, ${kinds[difference].done})`
  })

function countWords(repairs: readonly Repair[]): string {
  const counts = (['hole', 'stale', 'ghost'] as const).flatMap((difference) => {
    const count = repairs.filter((repair) => repair.difference === difference).length
    const { found, done } = kinds[difference]
    return count > 0 ? [`${counted(count, `${found} record`)} ${done}`] : []
  })
  return counts.join(', ')
}

/** Name of a list for users: its parent's, or its kind of record. */
function listWords(facts: Facts, { list, collection }: Repair): string {
  const { many } = facts.of(collection).words
  return list ?? many.charAt(0).toUpperCase() + many.slice(1)
}
