import type { Collection } from '#shared/facts/collection'
import { collectionOf } from '#shared/facts/references'
import { fieldsWithin, nameAt, valueAt, withValueAt } from '#shared/fields/path'
import { isJsonObject, type Json, type JsonObject } from '#shared/json'
import { instantOfWall, wallOfInstant } from '#shared/time/zones'
import { isDate } from '#shared/wire/validate'
import type { Field } from '#shared/wire/table'
import { dayMs } from '../../ui/dates'

/** The dates of a flight as the record stores them: days (`2026-06-10`, end inclusive) or moments. */
export interface Span {
  start: string
  end: string
}

export const textIn = (value: Json | undefined, path: string): string | undefined => {
  const found = valueAt(value, path)
  return typeof found === 'string' ? found : undefined
}

/** The flight of a record. Undefined if it lacks either end. */
export function spanOf({ flight }: Pick<Collection, 'flight'>, value: JsonObject): Span | undefined {
  const [start, end] = flight ? [textIn(value, flight.start), textIn(value, flight.end)] : []
  return start === undefined || end === undefined ? undefined : { start, end }
}

/** The record whose flight contains this one. Undefined if there's none. */
export function aroundOf(
  { flight }: Pick<Collection, 'flight'>,
  value: JsonObject,
): { collection: string; id: string } | undefined {
  const collection = flight?.within === undefined ? undefined : collectionOf(nameAt(flight.within))
  const id = flight?.within === undefined ? undefined : textIn(value, flight.within)
  return collection === undefined || id === undefined ? undefined : { collection, id }
}

/** Days from one date (`2026-06-10`) to another. */
export const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / dayMs)

/** Moves each day and moment of a record. Moments keep their time of day in the zone. */
export function movedBy(
  { table, schema }: Pick<Collection, 'table' | 'schema'>,
  value: JsonObject,
  days: number,
  zone: string,
): JsonObject {
  const shift = ({ format }: Field, text: string): string => {
    if (format === 'date' && isDate(text)) return new Date(Date.parse(text) + days * dayMs).toISOString().slice(0, 10)
    const at = format === 'date-time' ? Date.parse(text) : NaN
    if (!Number.isFinite(at)) return text
    return new Date(instantOfWall(wallOfInstant(at, zone) + days * dayMs, zone)).toISOString()
  }
  const moved = (field: Field, value: Json): Json => {
    if (field.readOnly) return value
    if (Array.isArray(value)) return value.map((one) => moved(field.of ?? {}, one))
    if (isJsonObject(value)) return movedFields(field, value)
    return typeof value === 'string' ? shift(field, value) : value
  }
  const movedFields = (field: Field, value: JsonObject): JsonObject => {
    const fields = fieldsWithin(table, field) ?? {}
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        fields[name] && inner !== undefined ? moved(fields[name], inner) : inner,
      ]),
    )
  }
  return days === 0 ? value : movedFields({ ref: schema }, value)
}

/**
 * The places that change when a record's flight moves, with their new values. The ends of the flight come first: a price that
 * follows them is then moved along, and set right by its own place.
 */
export function movedPlaces(
  facts: Pick<Collection, 'table' | 'schema' | 'flight'>,
  value: JsonObject,
  days: number,
  zone: string,
): { path: string; value: Json }[] {
  const found: { path: string; value: Json }[] = []
  const look = (before: Json | undefined, after: Json, path: string): void => {
    const within = Array.isArray(after) ? [...after.entries()] : isJsonObject(after) ? Object.entries(after) : undefined
    if (!within) return void (after !== before && found.push({ path, value: after }))
    for (const [name, inner] of within)
      if (inner !== undefined)
        look(valueAt(before, String(name)), inner, path === '' ? String(name) : `${path}.${name}`)
  }
  look(value, movedBy(facts, value, days, zone), '')
  const isEnd = ({ path }: { path: string }): boolean => path === facts.flight?.start || path === facts.flight?.end
  return [...found.filter(isEnd), ...found.filter((one) => !isEnd(one))]
}

/** Cuts a flight in days to the one that contains it. Returns the same object if it already fits. */
export function cutTo(facts: Pick<Collection, 'flight'>, value: JsonObject, around: Span): JsonObject {
  const { flight } = facts
  let made = value
  const cut = (path: string, { start, end }: Span): void => {
    const day = textIn(made, path)
    const next = day === undefined || day < start ? start : day > end ? end : day
    if (day !== undefined && next !== day) made = withValueAt(made, path, next) as JsonObject
  }
  if (!flight) return value
  cut(flight.start, around)
  cut(flight.end, around)
  const own = spanOf(facts, made) ?? around
  for (const { list, start, end } of flight.parts?.filter(({ inside }) => inside) ?? []) {
    const entries = valueAt(made, list)
    for (const at of Array.isArray(entries) ? entries.keys() : [])
      for (const path of [start, end]) cut(`${list}.${at}.${path}`, own)
  }
  return made
}
