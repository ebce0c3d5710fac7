import { factsOf } from '#shared/facts/facts'
import type { Collection } from '#shared/facts/collection'
import { recordIdOf } from '#shared/facts/ids'
import { referencesIn } from '#shared/facts/references'
import { isJsonObject, sameJson, type Json, type JsonObject } from '#shared/json'
import { operation, type OperationId } from '#shared/wire/services'
import type { Field } from '#shared/wire/table'
import { mergePatch } from '../../../src-main/sandbox/bodies'
import { fail } from './refusal'

/** A user with a profile. Several profiles may belong to one account and see the same data. */
export interface ModelProfile {
  id: string
  account: string
  name: string
  /** True for a profile of the devices' user. */
  mine: boolean
}

export interface Write {
  collection: string
  id: string
  after: JsonObject | undefined
}

/** Parameters that set a list's size and order. */
const shaping = new Set(['maxResults', 'pageToken', 'sortField', 'sortOrder', 'subaccountId'])
/** Fields that change on their own. */
const silent = new Set(['id', 'createInfo', 'lastModifiedInfo'])
/** Fewer than any list has, so that there are several pages. More for a log, which grows with every write. */
const pageSize = ({ log }: Collection): number => (log ? 40 : 6)

/**
 * A small but accurate model of the newest trafficking version: every collection by its facts and table, none by hand. The
 * service assigns IDs, there are no etags, references must exist, and the change log records each write.
 */
export class ModelTrafficking {
  readonly profiles: ModelProfile[] = []
  /** Records by account and parent, oldest first. */
  private readonly shelves = new Map<string, Map<string, JsonObject>>()
  private made = 1_000
  private readonly facts = factsOf()

  constructor(
    private readonly now: () => number,
    private readonly wrote: (write: Write) => void,
  ) {}

  /** An account's existing records of a collection, in any parent. */
  living(collection: string, account: string): JsonObject[] {
    return [...this.shelves].flatMap(([name, shelf]) =>
      name.startsWith(`${account}\n${collection}\n`) ? [...shelf.values()] : [],
    )
  }

  /** @throws FaultError `notFound`, `invalid` */
  call(id: string, params: JsonObject, body: JsonObject = {}): JsonObject | undefined {
    const { facts, verb } = this.asked(id)
    if (facts.name === 'userProfiles') return this.profileCall(verb, params)
    const shelf = this.shelf(facts, params)
    if (!shelf) {
      // A computer without profiles may search for anything and finds nothing.
      if (verb === 'list' && this.profiles.length === 0) return { [itemsOf(facts)]: [] }
      return fail('notFound', `There is no such place for ${facts.name}`)
    }
    if (verb === 'list') return this.list(facts, shelf, params)
    if (verb === 'insert') return this.insert(facts, shelf, params, body)
    const key = idOf(facts, params, body) ?? ''
    const before = shelf.get(key)
    if (!before) return fail('notFound', `${facts.name} has nothing with the id ${key}`)
    switch (verb) {
      case 'get':
        return before
      case 'patch':
        return this.store(facts, shelf, params, before, body, mergePatch(before, withoutId(body)))
      case 'update':
        return this.store(facts, shelf, params, before, body, replaced(facts, before, body))
      case 'delete':
        return this.remove(facts, shelf, params, key, before)
      default:
        return fail('invalid', `The model does not know ${id}`)
    }
  }

  /** References to nonexistent records, as text. */
  dangling(): string[] {
    const written = this.everything().filter(({ facts }) => facts.writable)
    return written.flatMap(({ account, facts, value }) =>
      referencesIn(facts.table, facts.schema, value).flatMap(({ path, collection, id }) =>
        this.find(account, collection, id) ? [] : [`${facts.name} ${recordIdOf(facts, value)} ${path} ${id}`],
      ),
    )
  }

  private asked(id: string): { facts: Collection; verb: string } {
    const at = id.lastIndexOf('.')
    return { facts: this.facts.of(id.slice(id.indexOf('.') + 1, at)), verb: id.slice(at + 1) }
  }

  private profileCall(verb: string, params: JsonObject): JsonObject {
    const mine = this.profiles.filter((profile) => profile.mine).map(profileBody)
    if (verb === 'list') return { items: mine }
    return mine.find(({ profileId }) => profileId === params.profileId) ?? fail('notFound', 'There is no such profile')
  }

  /** The records of a parent, or undefined if it doesn't exist. */
  private shelf(facts: Collection, params: JsonObject): Map<string, JsonObject> | undefined {
    const profile = this.profiles.find(({ id }) => id === params.profileId)
    if (!profile) return undefined
    const around = facts.parents.filter(({ param }) => param !== 'profileId')
    if (around.some(({ collection, param }) => !this.find(profile.account, collection, String(params[param]))))
      return undefined
    const name = `${profile.account}\n${facts.name}\n${around.map(({ param }) => String(params[param])).join('/')}`
    let shelf = this.shelves.get(name)
    if (!shelf) this.shelves.set(name, (shelf = new Map()))
    return shelf
  }

  private everything(): { account: string; facts: Collection; value: JsonObject }[] {
    return [...this.shelves].flatMap(([name, shelf]) => {
      const [account, collection] = name.split('\n') as [string, string]
      return [...shelf.values()].map((value) => ({ account, facts: this.facts.of(collection), value }))
    })
  }

  private find(account: string, collection: string, id: string): JsonObject | undefined {
    for (const [name, shelf] of this.shelves)
      if (name.startsWith(`${account}\n${collection}\n`) && shelf.has(id)) return shelf.get(id)
    return undefined
  }

  /** Small pages ordered by ID, so that changes between pages lose nothing. */
  private list(facts: Collection, shelf: Map<string, JsonObject>, params: JsonObject): JsonObject {
    const { needsOneOf, list } = facts
    const { method } = operation(list!.operation)
    const asked = Object.entries(params).filter(([name]) => name in method.queryParams && !shaping.has(name))
    const narrowed = !needsOneOf || needsOneOf.some((name) => params[name] !== undefined)
    const account = this.profiles.find(({ id }) => id === params.profileId)!.account
    const keeps = asked.map(([name, value]) => this.filter(facts, account, name, value!))
    const size = method.paged ? Math.min(pageSize(facts), Number(params.maxResults ?? Infinity)) : Infinity
    const page: JsonObject[] = []
    let after = method.paged && shelf.has(String(params.pageToken)) ? String(params.pageToken) : undefined
    let last = ''
    for (const [key, value] of narrowed ? shelf : []) {
      if (after !== undefined) {
        if (key === after) after = undefined
        continue
      }
      if (!keeps.every((keep) => keep(value))) continue
      if (page.length === size) return { [itemsOf(facts)]: page, nextPageToken: last }
      page.push(value)
      last = key
    }
    return { [itemsOf(facts)]: page }
  }

  private filter(facts: Collection, account: string, name: string, wanted: Json): (value: JsonObject) => boolean {
    const fields = facts.table.schemas[facts.schema]!.fields
    const list = (Array.isArray(wanted) ? wanted : [wanted]).map(String)
    if (name === 'searchString' || name === 'name') {
      const text = list[0]!.toLowerCase()
      const searched = facts.log
        ? [facts.log.id, facts.log.who, facts.log.before, facts.log.after]
        : [facts.title ?? 'name']
      return (value) => searched.some((field) => String(value[field]).toLowerCase().includes(text))
    }
    // Both have the same form.
    const bound = /^(min|max)ChangeTime$/.test(name) ? new Date(list[0]!).toISOString() : ''
    if (name === 'minChangeTime') return ({ changeTime }) => String(changeTime) >= bound
    if (name === 'maxChangeTime') return ({ changeTime }) => String(changeTime) <= bound
    const field = [name, name.replace(/s$/, '')].find((one) => fields[one])
    if (field) return (value) => list.includes(String(value[field] ?? false))
    if (name === 'ids') return (value) => list.includes(recordIdOf(facts, value)!)
    const cut = facts.cuts.find(({ param }) => param === name)
    if (!cut) throw new RangeError(`The model cannot narrow ${facts.name} by ${name}`)
    const used = this.usedIn(account, facts.name, `${cut.by.slice(0, -1)}Id`, list)
    return (value) => used.has(recordIdOf(facts, value)!)
  }

  /** The references of the records with these IDs and their contents. */
  private usedIn(account: string, collection: string, field: string, ids: readonly string[]): Set<string> {
    const inside = this.everything().filter(
      ({ account: of, facts, value }) =>
        of === account &&
        (ids.includes(String(value[field])) ||
          (`${facts.name.slice(0, -1)}Id` === field && ids.includes(String(value.id)))),
    )
    return new Set(
      inside.flatMap(({ facts, value }) =>
        referencesIn(facts.table, facts.schema, value).flatMap((one) =>
          one.collection === collection ? [one.id] : [],
        ),
      ),
    )
  }

  private insert(facts: Collection, shelf: Map<string, JsonObject>, params: JsonObject, body: JsonObject): JsonObject {
    const { fields } = facts.table.schemas[facts.schema]!
    const value: JsonObject = { ...facts.defaults, ...withoutId(body) }
    for (const [name, field] of Object.entries(fields)) {
      if (field.readOnly) delete value[name]
      else if (isRequired(field) && value[name] === undefined) fail('invalid', `Required field: ${name}`)
    }
    if (facts.ids === 'service') value.id = String(++this.made)
    else if (shelf.has(recordIdOf(facts, body) ?? '')) fail('duplicate', 'It is there already')
    if (fields.advertiserId && fields.campaignId && value.advertiserId === undefined) {
      const account = this.profiles.find(({ id }) => id === params.profileId)!.account
      const campaign = this.find(account, 'campaigns', String(value.campaignId))
      if (campaign) value.advertiserId = campaign.advertiserId!
    }
    return this.store(facts, shelf, params, undefined, body, value)
  }

  private store(
    facts: Collection,
    shelf: Map<string, JsonObject>,
    params: JsonObject,
    before: JsonObject | undefined,
    body: JsonObject,
    given: JsonObject,
  ): JsonObject {
    const { fields } = facts.table.schemas[facts.schema]!
    const profile = this.profiles.find(({ id }) => id === params.profileId)!
    if (body.name === 'poison') fail('invalid', 'Poison is not allowed')
    const present = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
    const after = this.numbered(facts, fields, present, before)
    for (const [name, value] of Object.entries(facts.defaults ?? {})) after[name] ??= value
    if (before) checkFixed(facts, before, after)
    this.checkReferences(facts, profile.account, before, after)
    this.checkUnique(facts, shelf, before, after)
    const time = { time: String(this.now()) }
    if (fields.createInfo) after.createInfo = before?.createInfo ?? time
    if (fields.lastModifiedInfo) after.lastModifiedInfo = time
    shelf.set(recordIdOf(facts, after)!, after)
    this.log(profile, facts, before, after)
    this.wrote({ collection: facts.name, id: recordIdOf(facts, after)!, after })
    return after
  }

  /** Assigns IDs to new list entries. */
  private numbered(
    facts: Collection,
    fields: Readonly<Record<string, Field>>,
    value: JsonObject,
    before: JsonObject | undefined,
  ): JsonObject {
    const result = { ...value }
    for (const [name, item] of Object.entries(value)) {
      const inner = facts.table.schemas[(fields[name]?.of ?? fields[name])?.ref ?? '']?.fields
      if (!inner || item === before?.[name]) continue
      const old = before?.[name]
      if (isJsonObject(item)) result[name] = this.numbered(facts, inner, item, isJsonObject(old) ? old : undefined)
      if (!Array.isArray(item)) continue
      result[name] = item.map((entry) => {
        if (!isJsonObject(entry)) return entry
        const known = Array.isArray(old) ? old.find((one) => isJsonObject(one) && one.id === entry.id) : undefined
        const part = this.numbered(facts, inner, entry, isJsonObject(known) ? known : undefined)
        if (!inner.id?.readOnly) return part
        return { ...part, id: entry.id !== undefined && known ? entry.id : String(++this.made) }
      })
    }
    return result
  }

  private remove(
    facts: Collection,
    shelf: Map<string, JsonObject>,
    params: JsonObject,
    key: string,
    before: JsonObject,
  ): undefined {
    const profile = this.profiles.find(({ id }) => id === params.profileId)!
    const user = this.everything().find(
      ({ account, facts: other, value }) =>
        account === profile.account &&
        referencesIn(other.table, other.schema, value).some((one) => one.collection === facts.name && one.id === key),
    )
    if (user) fail('invalid', `${key} is in use by ${user.facts.name} ${recordIdOf(user.facts, user.value)}`)
    shelf.delete(key)
    this.log(profile, facts, before, undefined)
    this.wrote({ collection: facts.name, id: key, after: undefined })
  }

  /** New references must exist, be active, and share the advertiser and campaign. */
  private checkReferences(facts: Collection, account: string, before: JsonObject | undefined, after: JsonObject): void {
    const { table, schema } = facts
    const known = new Set(
      (before ? referencesIn(table, schema, before) : []).map((one) => `${one.collection}/${one.id}`),
    )
    for (const { path, collection, id } of referencesIn(table, schema, after)) {
      if (known.has(`${collection}/${id}`)) continue
      const target = this.find(account, collection, id)
      if (!target) return fail('invalid', `${path}: there is no such object: ${id}`)
      if (target.archived === true) fail('invalid', `${path}: ${id} is archived`)
      for (const scope of ['advertiserId', 'campaignId'])
        if (after[scope] !== undefined && target[scope] !== undefined && target[scope] !== after[scope])
          fail('invalid', `${path}: ${id} belongs to another ${scope.slice(0, -2)}`)
    }
  }

  private checkUnique(
    facts: Collection,
    shelf: Map<string, JsonObject>,
    before: JsonObject | undefined,
    after: JsonObject,
  ): void {
    for (const [name, { uniqueWithin }] of Object.entries(facts.table.schemas[facts.schema]!.fields)) {
      if (!uniqueWithin || after[name] === undefined || before?.[name] === after[name]) continue
      const scope = `${uniqueWithin}Id`
      const taken = [...shelf.values()].some(
        (other) => other !== before && other[name] === after[name] && other[scope] === after[scope],
      )
      if (taken) fail('invalid', `${name} must be unique within the ${uniqueWithin}: ${String(after[name])}`)
    }
  }

  /** One row per changed field, nested ones by path. */
  private log(
    profile: ModelProfile,
    facts: Collection,
    before: JsonObject | undefined,
    after: JsonObject | undefined,
  ): void {
    const { objectType } = facts
    const logs = this.shelf(this.facts.of('changeLogs'), { profileId: profile.id })!
    if (!objectType) return
    const transactionId = String(++this.made)
    const row = (action: string, fieldName: string, oldValue?: string, newValue?: string): void => {
      const id = String(++this.made)
      logs.set(id, {
        id,
        transactionId,
        changeTime: new Date(this.now()).toISOString(),
        userProfileId: profile.id,
        userProfileName: profile.name,
        objectType,
        objectId: recordIdOf(facts, after ?? before!)!,
        action,
        fieldName,
        ...(oldValue !== undefined && { oldValue }),
        ...(newValue !== undefined && { newValue }),
      })
    }
    if (!after) return row('ACTION_DELETE', 'name', String(before!.name ?? before!.id))
    const action = before ? 'ACTION_UPDATE' : 'ACTION_CREATE'
    for (const { path, was, now } of differences(before ?? {}, after, '')) row(action, path, asText(was), asText(now))
  }
}

const profileBody = ({ id, account, name }: ModelProfile): JsonObject => ({
  profileId: id,
  userName: name,
  accountId: account,
  accountName: `Account ${account}`,
})

const itemsOf = ({ list }: Collection): string => operation(list!.operation as OperationId).method.items!

/** The ID of the call's record: from its path, a parameter, or its body. */
function idOf(facts: Collection, params: JsonObject, body: JsonObject): string | undefined {
  const named = facts.idParams.map((param) => params[param] ?? params.id)
  const fields = Object.fromEntries(facts.idFields.map((field, index) => [field, named[index] ?? body[field] ?? null]))
  return recordIdOf(facts, fields)
}

const withoutId = ({ id: _id, kind: _kind, ...rest }: JsonObject): JsonObject => rest

const isRequired = ({ required, requiredOn, appliesWhen }: Field): boolean =>
  (required === true || requiredOn?.includes('insert') === true) && !appliesWhen

/** A PUT removes omitted fields, except read-only ones. */
function replaced({ table, schema, fixed }: Collection, before: JsonObject, body: JsonObject): JsonObject {
  const { fields } = table.schemas[schema]!
  const kept = Object.entries(before).filter(
    ([name]) => fields[name]?.readOnly || fields[name]?.readOnlyAfterInsert || fixed.includes(name) || silent.has(name),
  )
  const given = Object.entries(withoutId(body)).filter(([name]) => !fields[name]?.readOnly)
  return { ...Object.fromEntries(kept), ...Object.fromEntries(given) }
}

function checkFixed({ table, schema, fixed }: Collection, before: JsonObject, after: JsonObject): void {
  for (const [name, field] of Object.entries(table.schemas[schema]!.fields)) {
    const isFixed = field.readOnlyAfterInsert || field.immutable || fixed.includes(name)
    if (isFixed && before[name] !== undefined && !sameJson(before[name], after[name]))
      fail('invalid', `${name} cannot be changed`)
  }
}

interface Difference {
  path: string
  was: Json | undefined
  now: Json | undefined
}

function differences(before: JsonObject, after: JsonObject, path: string): Difference[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name): Difference[] => {
    const [was, now] = [before[name], after[name]]
    if ((path === '' && silent.has(name)) || sameJson(was, now)) return []
    const at = path ? `${path}.${name}` : name
    if (isJsonObject(was ?? {}) && isJsonObject(now ?? {}))
      return differences((was ?? {}) as JsonObject, (now ?? {}) as JsonObject, at)
    return [{ path: at, was, now }]
  })
}

const asText = (value: Json | undefined): string | undefined =>
  value === undefined ? undefined : typeof value === 'string' ? value : JSON.stringify(value)
