import { expect, it } from 'vitest'
import { boundOf } from '../../../../src-renderer/views/reports/grid/conditions'

const about = (kind: 'number' | 'percent' | 'money') => ({ head: 'Clicks', kind, adds: null })

it.each([
  ['1,250', 'number', 1_250],
  ['0,5', 'number', 0.5],
  ['0,5%', 'percent', 0.005],
  ['12,50', 'money', 12_500_000],
  ['1.250,50', 'money', 1_250_500_000],
  ['', 'number', undefined],
  ['1,2,3', 'number', null],
] as const)('a bound of %j as %s is %s', (typed, kind, bound) => expect(boundOf(typed, about(kind))).toBe(bound))
