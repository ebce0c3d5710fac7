import { isJsonObject, ownField, sameJson, type Json, type JsonObject } from '#shared/json'
import { instantOf, type EventTime } from '#shared/time/event-time'
import { sameZone } from '#shared/time/zones'
import { entriesOf, pairEntries } from './entries'
import { isServerOwned, type Rule, type Rules } from './rules'

/**
 * True if the service's record already has everything a patch sets, so that an earlier attempt arrived. Compares with the
 * base of the patch (null if there was none): a value that still equals the base hasn't arrived, and removed entries must be
 * gone. Ignores additions by the service, such as a zone, a name, or an answer.
 */
export function alreadyHolds(rules: Rules, base: JsonObject | null, record: JsonObject, patch: JsonObject): boolean {
  return Object.entries(patch).every(
    ([field, written]) =>
      isServerOwned(rules, field) || holds(rules.of(field), ownField(base, field), ownField(record, field), written),
  )
}

/**
 * Converts a patch for PATCH, which merges objects field by field: fields removed from an object are cleared by name.
 * @param current the service's value, as far as known
 */
export function withRemovals(current: JsonObject, patch: JsonObject): JsonObject {
  const result: JsonObject = {}
  for (const [field, written] of Object.entries(patch)) {
    const now = ownField(current, field)
    if (!isJsonObject(written) || !isJsonObject(now)) {
      result[field] = written
      continue
    }
    const removed = Object.keys(now).filter((key) => !isGone(now[key]) && ownField(written, key) === undefined)
    result[field] = { ...withRemovals(now, written), ...Object.fromEntries(removed.map((key) => [key, null])) }
  }
  return result
}

type Value = Json | undefined

function holds(rule: Rule, base: Value, stored: Value, written: Value): boolean {
  if (rule.kind === 'server') return true
  if (isGone(written)) return isGone(stored)
  if (sameJson(stored, written)) return true
  if (sameJson(stored ?? undefined, base ?? undefined)) return false
  const inside = (name: string): Rule => ('inner' in rule && rule.inner ? rule.inner.of(name) : { kind: 'scalar' })
  if (isJsonObject(written) && isJsonObject(stored)) {
    const was = isJsonObject(base) ? base : {}
    if (isMoment(written) && isMoment(stored)) return sameMoment(was, stored, written)
    const left = Object.keys(was).filter((key) => ownField(written, key) === undefined && inside(key).kind !== 'server')
    return (
      left.every((key) => isGone(ownField(stored, key))) &&
      Object.entries(written).every(([key, value]) =>
        holds(inside(key), ownField(was, key), ownField(stored, key), value),
      )
    )
  }
  if (Array.isArray(written) && Array.isArray(stored)) return holdsList(rule, base, stored, written)
  return false
}

/** Compares lists entry by entry: by key if the field has one, a set by its members, otherwise in order. */
function holdsList(rule: Rule, base: Value, stored: Json[], written: Json[]): boolean {
  if (stored.length !== written.length) return false
  if (rule.kind === 'set') return written.every((member) => stored.includes(member))
  const was = Array.isArray(base) ? base : []
  const entry: Rule = 'inner' in rule && rule.inner ? { kind: 'map', inner: rule.inner } : { kind: 'scalar' }
  if (rule.kind !== 'keyed') {
    return written.every((item, index) => holds(entry, was[index], stored[index], item))
  }
  const objects = (items: Json[]): JsonObject[] => items.filter(isJsonObject)
  const versions = entriesOf(rule, objects(was), objects(written), objects(stored))
  const inOrder = (items: Json[]): boolean => {
    const places = pairEntries(rule, objects(written), objects(items)).filter((place) => place !== undefined)
    return places.every((place, index) => index === 0 || place > places[index - 1]!)
  }
  return (
    // An order set by a user has arrived once the service has it. Otherwise the service may use its own.
    (inOrder(stored) || inOrder(was)) &&
    versions.every(({ base, mine, theirs }) =>
      mine && theirs ? holds(entry, base, theirs, mine) : mine === undefined && theirs === undefined,
    )
  )
}

const isMoment = (value: JsonObject): boolean => typeof value['dateTime'] === 'string'

/** The same instant, and the same zone if the patch sets one that the base didn't have. */
function sameMoment(base: JsonObject, stored: JsonObject, written: JsonObject): boolean {
  const zone = written['timeZone']
  // A service may answer with its preferred name.
  const isOf = (time: JsonObject): boolean =>
    time['timeZone'] === zone ||
    (typeof zone === 'string' && typeof time['timeZone'] === 'string' && sameZone(time['timeZone'], zone))
  const keepsZone = zone === undefined || isOf(base) || isOf(stored)
  return keepsZone && instantIn(stored, written) === instantIn(written, stored)
}

/** Instant of a time. Without offset and zone, uses the zone of the other time. */
function instantIn(time: JsonObject, other: JsonObject): number | undefined {
  try {
    const zone = typeof other['timeZone'] === 'string' ? other['timeZone'] : 'UTC'
    return instantOf(time as EventTime, zone)
  } catch {
    return undefined
  }
}

/** True if a value is absent, null, or empty, also recursively, because services omit all of these. */
function isGone(value: Value): boolean {
  if (value === undefined || value === null || value === '') return true
  if (Array.isArray(value)) return value.length === 0
  return isJsonObject(value) && Object.values(value).every(isGone)
}
