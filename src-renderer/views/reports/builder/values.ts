import { dimensionFact, prefix } from '#shared/facts/report-fields'
import { dayText, type Span } from '#shared/facts/report-ranges'
import { recordTitle } from '../../../context/record-words'
import { ask } from '../../../bridge'
import type { AppContext } from '../../../context/context'
import { byName } from '../../../ui/by-name'
import type { Choice } from '../../../ui/choices'
import { plainWords } from '../../../ui/choices'
import { objectsOf, textOf } from './criteria'

/** Maximum number of offered values. A longer search text finds others. */
const maxValues = 200

/** Value of a dimension: the ID of a record, or text without a record. */
export interface Found extends Choice {
  id?: string
}

/**
 * Searches the values of a dimension: those with results in the date range from the service, else downloaded records by
 * name. Offline, only the latter.
 */
export async function findValues(
  app: AppContext,
  { profile, dimension, words, span, online }: ValueSearch,
): Promise<readonly Found[]> {
  const here = await hereByName(app, profile, dimension, words)
  if (!online || (words.trim() === '' && here.length > 0)) return here
  try {
    const there = await thereByWords(app, { profile, dimension, words, span, online })
    const known = new Set(there.map(({ value }) => value))
    return [...there, ...here.filter(({ value }) => !known.has(value))]
  } catch (error) {
    if (here.length > 0) return here
    throw error
  }
}

export interface ValueSearch {
  profile: string
  /** Dimension without prefix. */
  dimension: string
  words: string
  /** Date range to search. */
  span: Span
  online: boolean
}

async function thereByWords(app: AppContext, { profile, dimension, words, span }: ValueSearch): Promise<Found[]> {
  const dimensionName = prefix + dimension
  const wanted = words.trim()
  const answer = await ask(app.bridge, 'service/call', {
    accountId: app.account.id,
    operation: 'trafficking.dimensionValues.query',
    params: { profileId: profile, maxResults: 100 },
    body: {
      dimensionName,
      startDate: dayText(span.from),
      endDate: dayText(span.to),
      ...(wanted !== '' && { filters: [{ dimensionName, value: `*${wanted}*` }] }),
    },
  })
  return objectsOf(answer['items']).flatMap(({ id, value }): Found[] => {
    const [label, known] = [textOf(value), textOf(id)]
    if (label === undefined && known === undefined) return []
    return [
      {
        value: known ?? label!,
        label: label ?? known!,
        ...(known !== undefined && { id: known, ...(label !== known && { aside: known }) }),
      },
    ]
  })
}

async function hereByName(app: AppContext, profile: string, dimension: string, words: string): Promise<Found[]> {
  const { replica } = app
  const facts = replica.facts.find(dimensionFact(dimension)?.collection ?? '')
  const { title } = facts ?? {}
  if (!facts || title === undefined || !facts.columns.includes(title)) return []
  const wanted = plainWords(words)
  const rows = await replica.table(facts.name, {
    parent: profile,
    ...(wanted !== '' && { words: wanted }),
    sort: { column: title, down: false },
  })
  const idColumn = rows.columns.indexOf('id')
  const nameColumn = rows.columns.indexOf(title)
  return Array.from({ length: Math.min(maxValues, rows.length) }, (_, at): Found => {
    const id = String(rows.cell(at, idColumn) ?? '')
    return { value: id, id, label: String(rows.cell(at, nameColumn) ?? `#${id}`), aside: id }
  }).filter(({ value }) => value !== '')
}

/** Tracking configurations, labeled by their advertisers, because they have no names. */
export function configurationChoices(app: AppContext, profile: string): Choice[] {
  const { replica } = app
  const found = new Map<string, string[]>()
  for (const { value } of replica.rows('advertisers', profile)) {
    const id = textOf(value?.['trackingConfigurationId'])
    if (id === undefined || id === '0' || !value) continue
    const name = recordTitle(replica.facts.of('advertisers'), value)
    found.set(id, [...(found.get(id) ?? []), ...(name === undefined ? [] : [name])])
  }
  return [...found]
    .map(([value, names]) => ({
      value,
      label: names.sort().join(', ') || `#${value}`,
      name: names[0] ?? '',
      aside: value,
    }))
    .sort(byName)
}
