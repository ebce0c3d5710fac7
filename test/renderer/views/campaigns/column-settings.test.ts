import { describe, expect, it } from 'vitest'
import { columnSettings } from '../../../../src-renderer/views/campaigns/column-settings'

describe('saved column settings', () => {
  it('survive saving and loading', () => {
    const kept = { placements: { shown: ['name', 'id'], widths: { name: 300 } }, ads: { widths: { name: 90 } } }
    expect(columnSettings(JSON.parse(JSON.stringify(kept)))).toEqual(kept)
  })
  it('fall back to defaults only where unreadable', () => {
    for (const broken of [undefined, null, 7, 'x', []]) expect(columnSettings(broken)).toEqual({})
    expect(
      columnSettings({
        ads: 7,
        sites: { shown: [7], widths: { name: 100 } },
        creatives: { shown: [], widths: { name: 1e9 } },
        placements: { shown: ['name'], other: true },
      }),
    ).toEqual({ sites: { widths: { name: 100 } }, creatives: {}, placements: { shown: ['name'] } })
  })
})
