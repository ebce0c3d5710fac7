import type { Collection } from '#shared/facts/collection'
import { kindOf } from '#shared/fields/kind'
import { applies, closedAt, isNeeded } from '#shared/fields/open'
import { fieldAt, fieldsWithin, nameAt, valueAt } from '#shared/fields/path'
import { isJsonObject, type Json, type JsonObject } from '#shared/json'
import type { Field, ServiceTable } from '#shared/wire/table'
import { collectionOf } from '#shared/facts/references'
import type { RecordWordContext } from '../../context/record-words'
import type { BulkRecords } from './bulk-records.svelte'
import type { EditInPlace, Surroundings } from './edit-in-place.svelte'
import type { Place } from './save-places'

export interface FormField {
  path: string
  field: Field
  needed: boolean
  filled: boolean
}

/** State shared by the fields of an open form. */
export interface OpenForm extends Pick<Surroundings, 'shown' | 'onheld'> {
  key: string
  /** Set if one form edits several records. */
  many?: BulkRecords
  title: () => string
  fields: Set<EditInPlace>
  /** Written paths, in order. */
  written: string[]
}

/** Surroundings of an edit in a form. */
export const placeOf = (form: OpenForm, of: () => Pick<Place, 'facts' | 'path'>): Surroundings => ({
  place: () => ({ ...of(), keys: form.many?.keys ?? [form.key], title: form.title() }),
  shown: form.shown,
  onwrite: ({ path }) => form.written.push(path),
  ...(form.onheld && { onheld: form.onheld }),
})

/** Properties of a form field's input. */
export interface FieldProps {
  facts: Collection
  path: string
  field: Field
  record: JsonObject
  parent: string | null
  /** True if the service has the record. */
  made: boolean
  context: RecordWordContext
  form: OpenForm
  /** Hides the label, because the field's header shows it. */
  bare?: boolean
}

export interface FormSection {
  title: string
  fields: readonly FormField[]
}

const isFilled = (value: Json | undefined): boolean =>
  value !== undefined &&
  value !== null &&
  value !== '' &&
  !(Array.isArray(value) && value.length === 0) &&
  !(isJsonObject(value) && Object.keys(value).length === 0)

/** Dimension values repeat an ID shown next to them, and only programs need etags. */
const onlyForPrograms = (name: string): boolean => name === 'kind' || name === 'etag' || name.endsWith('DimensionValue')

/** Sections of a record's form: editable fields, grouped as in the sheet, with the remaining ones under More. */
export function formSections(facts: Collection, record: JsonObject, made: boolean): FormSection[] {
  const taken = new Set<string>()
  const open = (path: string): FormField | undefined => {
    const field = fieldAt(facts, path)
    if (!field || onlyForPrograms(nameAt(path)) || closedAt(facts, path, record, made)) return undefined
    const kind = kindOf(facts.table, nameAt(path), field)
    if (kind === 'any') return undefined
    return { path, field, needed: isNeeded(field), filled: isFilled(valueAt(record, path)) }
  }
  const sections = facts.sheet.sections.map(({ title, paths }): FormSection => {
    const named = new Set(facts.sheet.sections.flatMap((section) => section.paths))
    const whole = paths.flatMap((path) =>
      path === '*' ? facts.sheet.columns.flatMap((column) => (named.has(column.path) ? [] : [column.path])) : [path],
    )
    const fields = whole.flatMap((path) => {
      const one = open(path)
      if (one) taken.add(path)
      return one ?? []
    })
    return { title, fields }
  })
  const inside = (name: string): boolean => [...taken].some((path) => path === name || path.startsWith(`${name}.`))
  const rest = Object.keys(facts.table.schemas[facts.schema]!.fields).flatMap((name) =>
    inside(name) ? [] : (open(name) ?? []),
  )
  rest.sort(
    (a, b) => Number(b.path === facts.title) - Number(a.path === facts.title) || Number(b.needed) - Number(a.needed),
  )
  const more = { title: sections.length === 0 ? 'Fields' : 'More', fields: rest }
  return [...sections, more].filter(({ fields }) => fields.length > 0)
}

/** True if a field of a list's entries refers to other records, as the placement of an assignment does. */
export const hasNames = (table: ServiceTable, { of }: Field): boolean =>
  Object.entries((of && fieldsWithin(table, of)) ?? {}).some(([name, { readOnly }]) => collectionOf(name) && !readOnly)

/** Fields by name, as services list them, but with each start before its end. */
function startsFirst(fields: Readonly<Record<string, Field>>): (readonly [string, Field])[] {
  const other = (name: string, from: string, to: string): string | undefined => {
    const twin = name.startsWith(from) ? to + name.slice(from.length) : ''
    return twin in fields ? twin : undefined
  }
  return Object.entries(fields).flatMap(([name, field]) => {
    if (other(name, 'start', 'end') !== undefined) return []
    const start = other(name, 'end', 'start')
    return start === undefined ? [[name, field] as const] : [[start, fields[start]!] as const, [name, field] as const]
  })
}

/** Editable fields inside a part. */
export function innerFields(
  facts: Collection,
  path: string,
  field: Field,
  record: JsonObject,
  made: boolean,
): FormField[] {
  const around = valueAt(record, path)
  return startsFirst(fieldsWithin(facts.table, field) ?? {}).flatMap(([name, inner]): FormField[] => {
    const at = `${path}.${name}`
    const closed =
      onlyForPrograms(name) ||
      inner.readOnly === true ||
      inner.const !== undefined ||
      inner.writableFor !== undefined ||
      (made && (inner.readOnlyAfterInsert === true || inner.immutable === true)) ||
      !applies(inner, isJsonObject(around) ? around : {}, record) ||
      kindOf(facts.table, name, inner) === 'any'
    if (closed) return []
    return [{ path: at, field: inner, needed: isNeeded(inner), filled: isFilled(valueAt(record, at)) }]
  })
}

/** Read-only fields with a value, without those that only programs need. */
export function readPaths(facts: Collection, record: JsonObject, sections: readonly FormSection[]): string[] {
  const edited = new Set(sections.flatMap(({ fields }) => fields.map(({ path }) => path.split('.')[0]!)))
  const weight = (name: string): number => (name === 'id' ? 3 : /^(account|subaccount)Id$/.test(name) ? 2 : 0)
  return Object.keys(facts.table.schemas[facts.schema]!.fields)
    .filter(
      (name) =>
        isFilled(record[name]) && !edited.has(name) && (!onlyForPrograms(name) || (facts.log && name !== 'kind')),
    )
    .sort((a, b) => weight(a) - weight(b))
}
