import { insideSentence } from '#shared/fields/heads'
import type { Collection } from '#shared/facts/collection'
import { isWithin, uniqueFields } from '#shared/facts/unique'
import { isLocalId, parseRecordKey, recordKey, type CollectionName } from '#shared/domain/collections'
import { valueAt } from '#shared/fields/path'
import type { JsonObject } from '#shared/json'
import { validate, type Violation } from '#shared/wire/validate'
import { violationWords } from '../../context/violation-words'
import type { Replica, Row } from '../../replica/api'
import { startPassed } from './future-start'
import { headFor } from './grid-columns'
import { flightProblems, type Judging, type Problem } from './flight-problems'
import { aroundOf } from './flights'
import type { CampaignsModel } from './model.svelte'

export type { Judging, Problem }

const placeOf = (path: string): string => path.replace(/\[(\d+)\]/g, '.$1')

const judged = (facts: Collection, { id: _id, ...value }: JsonObject): Violation[] =>
  validate(facts.table, facts.schema, value, {
    kind: 'insert',
    ...(facts.insert && { operation: facts.insert }),
    // Local IDs are replaced before sending, so they needn't match the format.
  }).filter(({ rule, path }) => rule !== 'format' || !isLocalId(String(valueAt(value, placeOf(path)))))

/** Required fields that a new record lacks. Undefined if it has another problem. */
export function missingIn(facts: Collection, value: JsonObject): string[] | undefined {
  const found = judged(facts, value)
  return found.every(({ rule, path }) => rule === 'required' && !path.includes('.'))
    ? found.map(({ path }) => path)
    : undefined
}

/** Validation context of a record in this window. */
export function judgingOf({ app, context }: Pick<CampaignsModel, 'app' | 'context'>, row: Row): Judging {
  const { replica, clock } = app
  const other = row.value && aroundOf(replica.facts.of(row.collection), row.value)
  const around = other && replica.peek(recordKey(other.collection as CollectionName, row.parent, other.id))
  return {
    now: clock.now,
    context,
    base: row.base,
    ...takenIn(replica, row),
    ...(around?.value && { around: { facts: replica.facts.of(around.collection), value: around.value } }),
  }
}

/**
 * Unique fields with a new value that another record in memory has with its drafts, or that the service has in a record whose
 * own new value is this one’s, directly or through others.
 */
function takenIn(replica: Replica, row: Row): Pick<Judging, 'taken' | 'exchanged'> {
  const { key, collection, value, base } = row
  const facts = replica.facts.of(collection)
  const taken: string[] = []
  const exchanged: string[] = []
  if (!value || facts.keep !== 'whole') return {}
  for (const unique of uniqueFields(facts)) {
    const { field } = unique
    if (value[field] === undefined || value[field] === base?.[field]) continue
    const rows = replica.rows(collection as Parameters<Replica['rows']>[0], parseRecordKey(key).parent ?? undefined)
    const has = (one: Row, side: 'value' | 'base', wanted: JsonObject): boolean =>
      one[side]?.[field] === wanted[field] && isWithin(unique, wanted, one[side])
    if (rows.some((one) => one.key !== key && has(one, 'value', value))) taken.push(field)
    else if (base) {
      const seen = new Set<string>()
      let next: Row | undefined = row
      while (next?.value && !seen.has(next.key)) {
        seen.add(next.key)
        const wanted: JsonObject = next.value
        next = rows.find((one) => has(one, 'base', wanted))
        if (next?.key === key) exchanged.push(field)
      }
    }
  }
  return { ...(taken.length > 0 && { taken }), ...(exchanged.length > 0 && { exchanged }) }
}

/** What the service would reject in a record, as far as its schema and dates show. */
export function problemsOf(facts: Collection, record: JsonObject, made: boolean, judging: Judging): Problem[] {
  const common = [
    ...(judging.taken ?? []).map((path): Problem => ({
      path,
      words: `Another ${facts.words.one} already has this ${insideSentence(headFor(facts, path))}`,
    })),
    ...(judging.exchanged ?? []).map((path): Problem => ({
      path,
      words: `This ${facts.words.one} and another one take each other’s ${insideSentence(headFor(facts, path))}, which the server rejects. Give one of them a different ${insideSentence(headFor(facts, path))}, and post it first`,
    })),
    ...flightProblems(facts, record, judging),
  ]
  if (made) return common
  const found = judged(facts, record)
  const { notMade } = facts
  const own: Problem[] =
    notMade && notMade.values.includes(String(record[notMade.field]))
      ? [
          {
            path: notMade.field,
            words: `Choose another ${insideSentence(headFor(facts, notMade.field))}. Records of this type are created automatically`,
          },
        ]
      : []
  const passed = startPassed(facts, record, judging.now)
  if (passed !== undefined)
    own.push({
      path: passed,
      words: `${headFor(facts, passed)} has passed. Choose a later one`,
    })
  return [
    ...own,
    ...common,
    ...found
      .slice(0, 8)
      .map((one): Problem => ({ path: one.path, words: violationWords(one, (path) => headFor(facts, path)) })),
  ]
}
