import { describe, expect, it } from 'vitest'
import { factsOf } from '#shared/facts/facts'
import type { OutboxEntry } from '#shared/mutation/entry'
import { countDrafts } from '../../../../src-renderer/views/campaigns/drafts'
import { entryOf } from '../../replica/store.conformance'

const draft = (collection: OutboxEntry['collection'], kind: OutboxEntry['kind'], at: number): OutboxEntry => ({
  ...entryOf(`${collection} ${at}`),
  collection,
  kind,
  held: true,
})

describe('drafts', () => {
  it('are counted by type and action, most first', () => {
    const drafts = [
      draft('ads', 'create', 1),
      draft('placements', 'change', 1),
      draft('placements', 'change', 2),
      draft('placements', 'create', 3),
      draft('placements', 'delete', 4),
    ]
    expect(countDrafts(factsOf(), drafts)).toEqual([
      { title: 'Placements', made: 1, changed: 2, ended: 1 },
      { title: 'Ads', made: 1, changed: 0, ended: 0 },
    ])
    expect(countDrafts(factsOf(), [])).toEqual([])
  })
})
