import { none, objectsAt, textAt } from './checked-values'
import type { Found, Rule } from './rule'

const assignments = 'creativeRotation.creativeAssignments'

/** Rules of the creatives of ads. */
export const adRules: readonly Rule[] = [
  {
    id: 'ad.default',
    severity: 'error',
    kinds: ['ads'],
    title: 'Default ads',
    find: ({ value, base }) =>
      base === null && ['AD_SERVING_DEFAULT_AD', 'AD_SERVING_BRAND_SAFE_AD'].includes(String(value['type']))
        ? [{ path: 'type', words: 'Default ads are created with their creatives. Add the creative to the campaign' }]
        : none,
  },
  {
    id: 'ad.creative.reversed',
    severity: 'error',
    kinds: ['ads'],
    title: 'Creatives that end before they start',
    find: ({ value }) =>
      objectsAt(value, assignments).some((one) => {
        const [from, to] = [textAt(one, 'startTime'), textAt(one, 'endTime')]
        return from !== undefined && to !== undefined && Date.parse(to) <= Date.parse(from)
      })
        ? [{ path: assignments, words: 'A creative ends before it starts' }]
        : none,
  },
  {
    id: 'ad.creative.ended',
    severity: 'warning',
    kinds: ['ads'],
    title: 'Creatives end before the ad',
    find({ key, value }): readonly Found[] {
      const last = textAt(value, 'endTime')
      const shown = objectsAt(value, assignments)
      const active = shown.filter(({ active }) => active === true)
      const ends = active.map((one) => textAt(one, 'endTime'))
      if (value['active'] !== true || last === undefined || active.length === 0) return none
      if (ends.some((at) => at === undefined || Date.parse(at) >= Date.parse(last))) return none
      const latest = ends.reduce((later, at) => (Date.parse(at!) > Date.parse(later!) ? at : later))
      const edits = shown.flatMap((one, at) =>
        one['active'] === true && one['endTime'] === latest
          ? [{ key, path: `${assignments}.${at}.endTime`, value: last }]
          : [],
      )
      return [
        {
          path: assignments,
          words: 'All creatives end before the ad',
          fixes: [{ words: 'Extend the creatives that end last', edits }],
        },
      ]
    },
  },
  {
    id: 'ad.sequence',
    severity: 'warning',
    kinds: ['ads'],
    title: 'Unclear order of creatives',
    find({ key, value }) {
      if (textAt(value, 'creativeRotation.type') !== 'CREATIVE_ROTATION_TYPE_SEQUENTIAL') return none
      const order = objectsAt(value, assignments).map(({ sequence }) => sequence)
      if (new Set(order).size === order.length && order.every((one) => typeof one === 'number')) return none
      // Creatives that already have a number keep their order.
      const places = order
        .map((number, at) => ({ at, number: typeof number === 'number' ? number : Infinity }))
        .sort((a, b) => (a.number === b.number ? a.at - b.at : a.number - b.number))
      const edits = places.map(({ at }, place) => ({ key, path: `${assignments}.${at}.sequence`, value: place + 1 }))
      return [
        {
          path: assignments,
          words: 'Sequential creatives need different sequence numbers',
          fixes: [{ words: 'Number the creatives', edits }],
        },
      ]
    },
  },
]
