import { expect, it } from 'vitest'
import { ExportsUnderWay, underWayWords } from '../../../src-main/app/exports-under-way'

it('running exports report progress until they end', () => {
  const underWay = new ExportsUnderWay()
  const end = underWay.begin('view 3', 'Sites.csv')
  expect(underWayWords(underWay.list)).toEqual({
    short: 'Exporting Sites.csv.',
    lines: ['Sites.csv: starting'],
  })
  underWay.tell('view 3', { done: 1_200, of: 40_000, noun: 'rows' })
  underWay.tell('view 4', { done: 9, of: 9, noun: 'rows' })
  const endMany = underWay.begin('many', 'Several reports')
  underWay.tell('many', { done: 3, of: 20, noun: 'files' })
  expect(underWayWords(underWay.list)).toEqual({
    short: '2 exports are running.',
    lines: ['Sites.csv: 1,200 of 40,000 rows', 'Several reports: 3 of 20 files'],
  })
  end()
  expect(underWay.list.map(({ name }) => name)).toEqual(['Several reports'])
  endMany()
  expect(underWay.list).toEqual([])
})
