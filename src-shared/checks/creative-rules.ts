import { isJsonObject } from '#shared/json'
import { isArchived, isChanged, none, textAt } from './checked-values'
import type { Rule } from './rule'
import { clickUrls, urlProblems } from './urls'

/** Rules of creatives. */
export const creativeRules: readonly Rule[] = [
  {
    id: 'creative.needs',
    severity: 'error',
    kinds: ['creatives'],
    title: 'Creatives without content',
    find(record) {
      const { value } = record
      if (record.base === value) return none
      const type = textAt(value, 'type') ?? ''
      const lacks = (kind: string, path: string): boolean => type.includes(kind) && textAt(value, path) === undefined
      if (lacks('REDIRECT', 'redirectUrl'))
        return [{ path: 'redirectUrl', words: 'A redirect needs a destination address' }]
      if (lacks('CUSTOM', 'htmlCode')) return [{ path: 'htmlCode', words: 'A custom creative needs HTML code' }]
      return value['dynamicAssetSelection'] === true && !isJsonObject(value['creativeAssetSelection'])
        ? [{ path: 'creativeAssetSelection', words: 'Dynamic asset selection needs rules' }]
        : none
    },
  },
  {
    id: 'creative.archived',
    severity: 'warning',
    kinds: ['creatives'],
    title: 'Archived, but still in ads',
    find: (record, around) =>
      isArchived(record) && isChanged(record, 'archived') && around.adsShowing(record.id).length > 0
        ? [{ path: 'archived', words: 'Active ads still show it' }]
        : none,
  },
  {
    id: 'url.creative',
    severity: 'warning',
    kinds: ['creatives'],
    title: 'Addresses',
    find(record) {
      const redirect = textAt(record.value, 'redirectUrl')
      return [
        ...(redirect === undefined ? [] : [{ path: 'redirectUrl', text: redirect }]),
        ...clickUrls(record.value),
      ].flatMap(({ path, text }) => (isChanged(record, path) ? urlProblems(path, text, record.key) : none))
    },
  },
]
