import { requestOfSearchStarter, searchStarters } from '#shared/facts/report-search-starters'
import { plannedSearchColumns } from '#shared/pacing/planned'
import { withDaysOf } from '#shared/search-ads/relative-days'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  searchColumns,
  searchCurrencies,
  searchOperators,
  searchTypes,
  type SearchOperator,
  type SearchType,
} from '#shared/facts/report-search-columns'
import { allColumns } from '../../../../../src-main/sandbox/search/search-columns'
import * as edit from '../../../../../src-renderer/views/reports/builder/search-request'
import { running } from '../../../../main/sandbox/reporting/running'
import { cases } from '../../../../helpers/ring'

const day = (at: number): string => new Date(Date.UTC(2026, 2, 1 + (at % 60))).toISOString().slice(0, 10)
const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)]

const today = Date.UTC(2026, 3, 30) / 86_400_000
const april = { startDate: '2026-04-01', endDate: '2026-04-30' }

describe('search reports', () => {
  it("have the service's columns", () => {
    const known = searchColumns.map(({ name, kind, from }) => ({ name, kind, from }))
    expect(known).toEqual(
      expect.arrayContaining([...allColumns.values()].map(({ name, kind, from }) => ({ name, kind, from }))),
    )
    expect(known).toHaveLength(allColumns.size)
  })

  it('from templates are accepted once they have an account', async () => {
    const { client, ids } = await running()
    expect(searchStarters).toHaveLength(5)
    for (const starter of searchStarters) {
      const request = requestOfSearchStarter(starter, edit.newSearchRequest(ids['agencyId']!))
      expect([starter.name, edit.searchProblems(request)]).toEqual([starter.name, []])
      const sent = withDaysOf(request, 20_000)
      expect(sent['timeRange']).not.toHaveProperty('relativeDateRange')
      const { status, body } = await client.post('/search/v2/reports', sent)
      expect(status, JSON.stringify(body)).toBe(200)
    }
  })

  it('keep compatible parts when their type changes', () => {
    let request = edit.setSearchDays(edit.newSearchRequest('1'), april)
    for (const name of ['campaign', 'keywordText', 'impr']) request = edit.addColumn(request, name)
    request = edit.addSearchFilter(request, 'keywordText', 'contains', ['shoe'])
    const { request: wide, dropped } = edit.setSearchType({ ...request, later: true }, 'advertiser')
    expect(dropped).toEqual(['Campaign', 'Keyword text', 'Keyword text filter'])
    expect(wide).toMatchObject({ later: true, columns: [{ columnName: 'impr' }] })
    expect(wide).not.toHaveProperty('filters')
  })

  it('can have one metric for two date ranges, each with its own header and position', async () => {
    const { client, ids } = await running()
    let request = edit.setSearchDays(edit.newSearchRequest(ids['agencyId']!), april)
    for (const name of ['campaignId', 'clicks']) request = edit.addColumn(request, name)
    const kept = structuredClone(request)
    request = edit.duplicateColumn(request, 1)
    expect(edit.searchChosen(request).map(({ key }) => key)).toEqual(['campaignId', 'clicks', 'clicks 2'])
    request = edit.changeColumn(request, 2, { headerText: undefined })
    expect(edit.searchChosen(request).map(({ key }) => key)).toEqual(['campaignId', 'clicks', 'clicks #2'])
    expect(edit.searchProblems(request)).toEqual([
      { at: 'columns', words: 'Two columns are named clicks. Rename one of them' },
    ])
    request = edit.changeColumn(request, 2, { headerText: 'before', startDate: '2026-03-01' })
    expect(edit.searchProblems(request).map(({ words }) => words)).toEqual(['Enter a first and last day for before'])
    request = edit.changeColumn(request, 2, { startDate: undefined, relativeDateRange: 'PREVIOUS_MONTH' })
    expect(edit.searchProblems(request)).toEqual([])
    expect(edit.offeredColumns(request).find(({ name }) => name === 'date')!.why).toBe(
      'Not compatible with before, which has its own dates',
    )
    const sent = withDaysOf(request, today)
    expect(sent['columns']).toEqual([
      { columnName: 'campaignId' },
      { columnName: 'clicks' },
      { columnName: 'clicks', headerText: 'before', startDate: '2026-03-01', endDate: '2026-03-31' },
    ])
    expect(plannedSearchColumns(sent)).toEqual([
      { field: 'campaignId', metric: false },
      { field: 'clicks', metric: true },
      { field: 'clicks', metric: true, days: '2026-03-01 2026-03-31' },
    ])
    expect((await client.post('/search/v2/reports', sent)).status).toBe(200)
    expect(edit.removeColumnAt(request, 2)).toEqual(kept)
    // Removing a name removes both of its columns.
    expect(edit.searchChosen(edit.removeColumn(request, 'clicks'))).toHaveLength(1)
    // An earlier version's definition opens unchanged.
    expect(edit.changeColumn(kept, 1, edit.searchChosen(kept)[1]!.own)).toEqual(kept)
  })

  it('are accepted if they have no problems, and rejected otherwise', async () => {
    const { client, ids } = await running()
    const steps = fc.array(
      fc.record({
        kind: fc.constantFrom(
          'type',
          'column',
          'column',
          'column',
          'saved',
          'remove',
          'move',
          'group',
          'days',
          'scope',
          'own',
          'own',
          'relative',
          'header',
          'duplicate',
          'duplicate',
          'removeAt',
          'filter',
          'unfilter',
          'currency',
        ),
        at: fc.nat(999),
        to: fc.nat(999),
        flag: fc.boolean(),
      }),
      { minLength: 2, maxLength: 25 },
    )
    const tried = { taken: 0, refused: 0 }
    const saved = ['Conversion rate', 'Cost per conversion']
    await fc.assert(
      fc.asyncProperty(steps, async (walk) => {
        let request = edit.setSearchDays(edit.newSearchRequest(ids['agencyId']!), april)
        for (const { kind, at, to, flag } of walk) {
          const offered = edit.offeredColumns(request, saved).filter(({ why }) => !why)
          const one = pick(offered, at)!
          if (kind === 'type')
            request = edit.setSearchType(request, pick(Object.keys(searchTypes), at) as SearchType).request
          else if (kind === 'column') request = edit.addColumn(request, one.name, one.group === 'Saved columns')
          else if (kind === 'saved') {
            const own = offered.find(({ group }) => group === 'Saved columns')
            if (own) request = edit.addColumn(request, own.name, true)
          } else if (kind === 'remove')
            request = edit.removeColumn(request, pick(edit.searchChosen(request), at)?.name ?? '')
          else if (kind === 'move') request = edit.moveColumn(request, at % 5, to % 5)
          else if (kind === 'group') request = edit.setGrouped(request, flag)
          else if (kind === 'days') request = edit.setSearchDays(request, { startDate: day(at), endDate: day(to) })
          else if (kind === 'scope')
            request = edit.setScope(request, 'advertiserId', flag ? ids['advertiserId'] : undefined)
          else if (kind === 'own')
            request = edit.changeColumn(request, at % 5, { startDate: day(at), ...(flag && { endDate: day(at + to) }) })
          else if (kind === 'relative')
            request = edit.changeColumn(request, at % 5, {
              ...{ startDate: undefined, endDate: undefined },
              relativeDateRange: flag ? 'PREVIOUS_MONTH' : undefined,
            })
          else if (kind === 'header')
            request = edit.changeColumn(request, at % 5, { headerText: flag ? `clicks ${to % 3}` : undefined })
          else if (kind === 'duplicate') request = edit.duplicateColumn(request, at % 5)
          else if (kind === 'removeAt') request = edit.removeColumnAt(request, at % 5)
          else if (kind === 'filter' && one.group !== 'Saved columns')
            request = edit.addSearchFilter(
              request,
              one.name,
              pick(Object.keys(searchOperators), to) as SearchOperator,
              ['1', '2'].slice(0, 1 + (at % 2)),
            )
          else if (kind === 'unfilter') request = edit.removeSearchFilter(request, at % 3)
          else if (kind === 'currency')
            request = { ...request, statisticsCurrency: pick(Object.keys(searchCurrencies), at) }
        }
        const problems = edit.searchProblems(request)
        const { status, body } = await client.post('/search/v2/reports', withDaysOf(request, today))
        if (problems.length > 0) tried.refused++
        else tried.taken++
        expect(status, JSON.stringify([problems, body, request])).toBe(problems.length > 0 ? 400 : 200)
      }),
      { numRuns: cases(80, 300) },
    )
    expect(tried.taken).toBeGreaterThan(0)
    expect(tried.refused).toBeGreaterThan(0)
  })
})
