import { isChanged, none, textAt } from './checked-values'
import type { Rule } from './rule'

/** The name with plain quotes and single, ordinary spaces. */
const plain = (name: string): string =>
  name
    .replace(/[\u200b-\u200d\u2060\ufeff\u00ad]/g, '')
    .replace(/[“”„‟]/g, '"')
    .replace(/[‘’‚‛]/g, "'")
    .replace(/\s+/g, ' ')
    .trim()

/** Rules of names. */
export const nameRules: readonly Rule[] = [
  {
    id: 'name.characters',
    severity: 'hint',
    kinds: ['campaigns', 'placementGroups', 'placements', 'ads', 'creatives'],
    title: 'Characters that break matching',
    find(record) {
      const name = textAt(record.value, 'name')
      if (name === undefined || !isChanged(record, 'name')) return none
      const value = plain(name)
      if (value === name || value === '') return none
      return [
        {
          path: 'name',
          words: 'The name has unusual spaces or quotation marks, so reports and plans may not match it',
          fixes: [{ words: 'Clean up the name', edits: [{ key: record.key, path: 'name', value }] }],
        },
      ]
    },
  },
]
