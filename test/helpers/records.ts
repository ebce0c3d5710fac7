import type { Collection } from '#shared/facts/collection'
import { factsOf, type Facts } from '#shared/facts/facts'
import type { Json, JsonObject } from '#shared/json'
import type { Field } from '#shared/wire/table'
import { isWritten } from '#shared/wire/validate'
import type { Client } from '../../src-main/services/client'
import { tableCall } from '../../src-main/sync/pull'
import { pagesOf } from '../../src-main/sync/read'
import { validBody } from './valid-body'

/** Sample records of any trafficking collection, created from its table and existing data. */
export class TraffickingRecords {
  readonly facts: Facts
  private readonly known: Record<string, string>
  private number = 0

  constructor(
    private readonly client: Client,
    ids: Readonly<Record<string, string>>,
    private readonly now: () => number,
  ) {
    this.facts = factsOf(client.versions)
    this.known = { ...ids }
  }

  /** Writable collections, referenced ones first. */
  writable(): Collection[] {
    return this.facts.all.filter((one) => one.service === 'trafficking' && one.writable)
  }

  /** Finds existing IDs that bodies may refer to. */
  async findKnownIds(): Promise<void> {
    const wanted = [
      'directorySites',
      'userRoles',
      'creativeFields',
      'trackingConfigurations',
      'projects',
      'orders',
      'creatives',
      'placements',
      'remarketingLists',
      'trackingActivityGroups',
      'trackingActivities',
      'reports',
    ]
    for (const name of wanted) {
      const stem = name.endsWith('ies') ? `${name.slice(0, -3)}y` : name.slice(0, -1)
      if (this.known[`${stem}Id`] !== undefined) continue
      const [first] = await this.list(this.facts.of(name))
      if (first) this.known[`${stem}Id`] = String(first.id)
    }
    if (this.known['userRoleId']) this.known['parentUserRoleId'] = this.known['userRoleId']
  }

  /** The parent of a collection: the profile, or an existing record. */
  parentOf({ parents }: Collection): string | null {
    return parents.length === 0 ? null : parents.map(({ param }) => this.known[param] ?? '').join('/')
  }

  async list(collection: Collection): Promise<JsonObject[]> {
    const needed = Object.fromEntries((collection.needsOneOf ?? []).map((name) => [name, this.known[name]!]))
    for await (const { records } of pagesOf(this.client, collection, this.parentOf(collection), needed))
      return records.map(({ body }) => body)
    return []
  }

  /** The body of a valid new record, or undefined if none can be created. */
  async newBody(collection: Collection): Promise<JsonObject | undefined> {
    const { insert, table, schema, name } = collection
    if (!insert) return undefined
    if (collection.ids === 'content' && this.facts.find('creatives') && collection.idFields[0] === 'creativeId')
      return { creativeId: await this.newCreative() }
    const body = validBody(table, schema, this.known, { now: this.now(), operation: insert })
    const made = { ...body, ...extraValues[name]?.(++this.number) }
    // Unique even if the schema requires no name.
    return table.schemas[schema]!.fields['name'] && made['name'] === undefined
      ? { ...made, name: `Made ${++this.number}` }
      : made
  }

  /** Text and boolean fields, each with two values that a record didn't have before. */
  editsOf(
    { table, schema, name, fixed, patch, update }: Collection,
    record: JsonObject,
  ): { field: string; values: [Json, Json] }[] {
    const { fields } = table.schemas[schema]!
    const operation = patch ?? update
    const words = (field: string): boolean => edits[`${name}.${field}`] === undefined
    const inOrder = Object.entries(fields).sort(([a], [b]) => Number(words(b)) - Number(words(a)))
    return inOrder.flatMap(([field, facts]) => {
      const special = edits[`${name}.${field}`]
      if (special) return [{ field, values: special }]
      const may =
        isWritten(facts, operation ? { operation } : {}) && !facts.readOnlyAfterInsert && !fixed.includes(field)
      const values = may && !never.has(field) ? valuesOf(facts, field, record[field]) : undefined
      return values ? [{ field, values: values.map((value) => this.fitting(value)) as [Json, Json] }] : []
    })
  }

  /** A creative without a campaign. */
  private async newCreative(): Promise<string> {
    const creatives = this.facts.of('creatives')
    const body = await this.newBody(creatives)
    const params = { profileId: this.known['profileId']! }
    const answer = await tableCall(this.client)(creatives.insert!, params, { body: body as never })
    return String(answer.body?.['id'])
  }

  private fitting(value: Json): Json {
    return typeof value === 'string' && value.startsWith('Edited') ? `${value} ${++this.number}` : value
  }
}

/** Values an insert needs beyond the schema's required ones. */
const extraValues: Record<string, (number: number) => JsonObject> = {
  creativeFieldValues: (number) => ({ value: `Value ${number}` }),
  creativeGroups: (number) => ({ groupNumber: 1 + (number % 2) }),
  userRoles: (number) => ({ name: `Role ${number}` }),
  dynamicTargetingKeys: (number) => ({ name: `key_${number}` }),
  sizes: (number) => ({ width: 2_000 + number, height: 251 }),
  reports: (number) => ({
    name: `Report ${number}`,
    type: 'STANDARD',
    format: 'CSV',
    criteria: {
      dateRange: { relativeDateRange: 'LAST_30_DAYS' },
      dimensions: [{ name: 'trafficking:campaign' }],
      metricNames: ['trafficking:impressions'],
    },
  }),
}

/** Set by the service or bound to other fields, although no flag says so. */
const never = new Set([
  'id',
  'kind',
  'etag',
  'accountId',
  'subaccountId',
  'archived',
  'version',
  'tagString',
  'hidden',
  'type',
  'email',
])

/** Nontext fields by collection, for a second user to change. */
const edits: Record<string, [Json, Json]> = {
  'accountUserProfiles.name': ['edited.one', 'edited.two'],
  'ads.active': [true, false],
  'advertisers.suspended': [true, false],
  'advertiserLandingPages.url': ['https://www.example/one', 'https://www.example/two'],
  'creatives.active': [false, true],
  'eventTags.url': ['https://tags.example/one', 'https://tags.example/two'],
  'remarketingLists.active': [false, true],
  'trackingActivities.notes': ['Edited one', 'Edited two'],
  'reports.fileName': ['one', 'two'],
  'trackingConfigurations.firstDayOfWeek': ['SUNDAY', 'MONDAY'],
  'remarketingListShares.sharedAdvertiserIds': [[], []],
}

function valuesOf(facts: Field, field: string, now: Json | undefined): [Json, Json] | undefined {
  if (facts.deprecated || facts.readOnlySometimes || facts.immutable || facts.exclusiveWith) return undefined
  if (facts.type === 'boolean' && typeof now === 'boolean') return undefined
  if (facts.type !== 'string' || facts.format || facts.enum || facts.pattern || facts.ref) return undefined
  if (!/^(name|value|comment|comments|notes|description|externalId|billingInvoiceCode|keyName|fileName)$/.test(field))
    return undefined
  return ['Edited one', 'Edited two']
}
