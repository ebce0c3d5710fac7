import { isJsonObject, type Json } from '#shared/json'
import type { Field, ServiceTable } from '#shared/wire/table'
import { schemaOf } from '#shared/wire/validate'
import { invalidParameter } from './problems'

/** A selector of the `fields` parameter; null selects everything below. */
export type Selection = Map<string, Selection | null>

/** Maximum depth of a selection, far above that of any schema. Deeper ones would overflow the stack. */
const maxLevels = 100

/**
 * Reads `a, b(c,d), e/f, items(*)`. A name can also be the key of a map, such as `event/1`.
 * @throws Problem 400 `invalidParameter` at `fields` for anything else.
 */
export function parseFields(given: string): Selection {
  // In two steps, because one would take quadratic time for many spaces.
  const text = given
    .replace(/\s+/g, ' ')
    .replace(/ ?([,()/]) ?/g, '$1')
    .trim()
  let at = 0
  const wrong = (): Error => invalidParameter(`Invalid field selection ${given.slice(0, 200)}`, 'fields')
  const list = (level: number, closing: boolean): Selection => {
    const selection: Selection = new Map()
    for (;;) {
      add(selection, path(level))
      if (text[at] === ',') at++
      else if (closing ? text[at] === ')' : at === text.length) return selection
      else throw wrong()
    }
  }
  const path = (level: number): [string, Selection | null] => {
    if (level > maxLevels) throw wrong()
    const name = /^[\w$][\w$.-]*|^\*/.exec(text.slice(at))?.[0]
    if (!name) throw wrong()
    at += name.length
    if (text[at] === '/') {
      at++
      return [name, new Map([path(level + 1)])]
    }
    if (text[at] !== '(') return [name, null]
    at++
    const inner = list(level + 1, true)
    at++
    return [name, inner]
  }
  return list(0, false)
}

function add(selection: Selection, [name, inner]: [string, Selection | null]): void {
  const known = selection.get(name)
  if (known === undefined || inner === null) selection.set(name, inner)
  else if (known) for (const part of inner) add(known, part)
}

/** @throws Problem 400 at `fields` if the selection contains an unknown field */
export function checkFields(table: ServiceTable, fields: Record<string, Field>, selection: Selection): void {
  for (const [name, inner] of selection) {
    const field = fields[name]
    if (!field && name !== '*') throw invalidParameter(`Invalid field selection ${name}`, 'fields')
    if (!inner) continue
    const below = field ? fieldsBelow(table, field) : undefined
    if (below) checkFields(table, below, inner)
    else if (field && field.type !== 'map' && field.type !== 'any') {
      throw invalidParameter(`Invalid field selection ${name}`, 'fields')
    }
  }
}

function fieldsBelow(table: ServiceTable, field: Field): Record<string, Field> | undefined {
  if (field.ref) return schemaOf(table, field.ref).fields
  if (field.fields) return field.fields
  return field.type === 'array' && field.of ? fieldsBelow(table, field.of) : undefined
}

export function selectFields(value: Json, selection: Selection): Json {
  if (Array.isArray(value)) return value.map((item) => selectFields(item, selection))
  if (!isJsonObject(value)) return value
  const result: Record<string, Json> = {}
  for (const [name, item] of Object.entries(value)) {
    if (item === undefined) continue
    const inner = selection.has(name) ? selection.get(name) : selection.has('*') ? selection.get('*') : undefined
    if (inner === undefined) continue
    result[name] = inner === null ? item : selectFields(item, inner)
  }
  return result
}
