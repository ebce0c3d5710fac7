import fc from 'fast-check'
import { expect, it } from 'vitest'
import { misfitOf } from '#shared/checks/placement-fit'
import type { Checked } from '#shared/checks/rule'
import { FittingColumns } from '../../../../../src-renderer/views/campaigns/matrix/fitting-columns'

const size = fc.constantFrom({ width: 10, height: 20 }, { width: 30, height: 40 }, { width: 50, height: 60 })
const record = fc.record(
  { advertiserId: fc.constantFrom('1', '2'), size, additionalSizes: fc.array(size, { maxLength: 2 }) },
  { requiredKeys: [] },
)

it('has every column that fits, those of assigned creatives, and no other', () => {
  fc.assert(
    fc.property(fc.array(record, { maxLength: 12 }), record, fc.nat(), (creatives, placement, at) => {
      const all = creatives.map((value, id): Checked => ({
        ...{ key: String(id), id: String(id), collection: 'creatives', base: null, value },
      }))
      const fits = (column: number): boolean =>
        misfitOf({ placement, campaign: undefined, hasTime: true }, creatives[column]!) === undefined
      const assigned = all.length > 0 ? [all[at % all.length]!.id] : []
      const wanted = [...all.keys()].filter((column) => fits(column) || assigned.includes(String(column)))
      expect(new FittingColumns(all).of(placement, assigned)).toEqual(wanted)
    }),
  )
})
