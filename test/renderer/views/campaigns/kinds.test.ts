import { describe, expect, it } from 'vitest'
import { factsOf } from '#shared/facts/facts'
import { traffickingRemarks } from '#shared/facts/remarks/trafficking'
import { versionsOf } from '#shared/wire/services'
import { kindsOf } from '#shared/facts/kinds'
import { groupOfKind, titleOfKind } from '../../../../src-renderer/views/campaigns/kinds'

describe.each(versionsOf('trafficking'))('record types in API version %s', (trafficking) => {
  const facts = factsOf({ trafficking })
  const kinds = kindsOf(facts)
  const names = kinds.map(({ name }) => name as string)
  it('are all listable and stored ones, once each', () => {
    expect(new Set(names).size).toBe(names.length)
    expect(names).toEqual(expect.arrayContaining(['advertisers', 'placements', 'changeLogs', 'sizes']))
    for (const other of ['tasks', 'events', 'userProfiles']) expect(names).not.toContain(other)
    const missing = facts.all.filter(
      ({ service, list, pull, insert, name }) =>
        service === 'trafficking' && list && pull?.when !== 'root' && (pull ?? insert) && !names.includes(name),
    )
    expect(missing).toEqual([])
  })
  it('come as in the sheets, then history, then the rest by name', () => {
    const sheets = Object.keys(traffickingRemarks.sheets).filter((name) => names.includes(name))
    expect(names.slice(0, sheets.length)).toEqual(sheets)
    expect(names[sheets.length]).toBe('changeLogs')
    const rest = kinds.slice(sheets.length + 1).map(titleOfKind)
    expect(rest).toEqual([...rest].sort((a, b) => a.localeCompare(b, 'en', { sensitivity: 'base' })))
    const groups = kinds.map(groupOfKind)
    expect([...new Set(groups)]).toEqual(['Campaigns', 'History', 'Other'])
  })
})
