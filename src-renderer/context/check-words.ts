import type { Facts } from '#shared/facts/facts'
import type { CheckResult } from '../replica/checks'
import { counted } from '../ui/counted'
import { saidWords } from './lane-words'

/** The kinds of difference, as a count reads them. */
const found = { hole: 'missing', stale: 'outdated', ghost: 'deleted' } as const

/**
 * What a sync check found, in one sentence or two. Nothing where nobody asked and nothing was wrong.
 * @param moment when it ended, in words
 */
export function checkWords({ lists, asked, repairs, fault }: CheckResult, moment: string): string | undefined {
  if (!asked && repairs.length === 0) return undefined
  const kinds = (['hole', 'stale', 'ghost'] as const).flatMap((difference) => {
    const count = repairs.filter((repair) => repair.difference === difference).length
    return count > 0 ? [counted(count, `${found[difference]} record`)] : []
  })
  const repaired = kinds.length > 0 ? `Repaired ${new Intl.ListFormat('en').format(kinds)} (${moment}).` : undefined
  if (fault) return [repaired, `The sync check stopped (${moment}): ${saidWords(fault)}`].filter(Boolean).join(' ')
  return repaired ?? `Checked ${counted(lists, 'list')} (${moment}). Everything matches.`
}

/** Each record that was repaired: its name, and what was wrong. */
export const repairWords = (facts: Facts, { repairs }: CheckResult): string[] =>
  repairs.map(({ collection, name, id, difference }) => {
    return `${name ?? `${facts.of(collection).words.one} ${id}`} (${found[difference]})`
  })
