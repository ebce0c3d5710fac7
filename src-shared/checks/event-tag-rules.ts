import { isChanged, none, textAt } from './checked-values'
import type { Checked, Rule } from './rule'

const isEnabled = ({ value }: Checked): boolean => value['status'] === 'ENABLED'

/** Rules of event tags. */
export const eventTagRules: readonly Rule[] = [
  {
    id: 'tag.sites',
    severity: 'warning',
    kinds: ['eventTags'],
    title: 'Incomplete site filters',
    find({ value }) {
      const sites = Array.isArray(value['siteIds']) && value['siteIds'].length > 0
      const type = textAt(value, 'siteFilterType') !== undefined
      if (sites === type) return none
      return sites
        ? [{ path: 'siteFilterType', words: 'Choose whether the tag runs on the selected sites or on all others' }]
        : [{ path: 'siteIds', words: 'The filter has no sites' }]
    },
  },
  {
    id: 'tag.twice',
    severity: 'warning',
    kinds: ['eventTags'],
    title: 'Event tags with the same address',
    find(record, around) {
      const url = textAt(record.value, 'url')
      const field = textAt(record.value, 'campaignId') === undefined ? 'advertiserId' : 'campaignId'
      const owner = textAt(record.value, field)
      if (!url || !owner || !isEnabled(record)) return none
      if (!isChanged(record, 'url') && !isChanged(record, 'status')) return none
      const twin = around
        .inside('eventTags', field, owner)
        .some((one) => one.key !== record.key && isEnabled(one) && textAt(one.value, 'url') === url)
      return twin
        ? [
            {
              path: 'url',
              words: 'Another enabled tag has the same address, so events are counted twice',
              fixes: [{ words: 'Disable this tag', edits: [{ key: record.key, path: 'status', value: 'DISABLED' }] }],
            },
          ]
        : none
    },
  },
]
