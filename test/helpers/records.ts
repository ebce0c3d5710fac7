import type { Collection } from '#shared/facts/collection'
import { factsOf, type Facts } from '#shared/facts/facts'
import type { Json, JsonObject } from '#shared/json'
import type { Field } from '#shared/wire/table'
import { isWritten } from '#shared/wire/validate'
import type { Client } from '../../src-main/services/client'
import { tableCall } from '../../src-main/sync/pull'
import { pagesOf } from '../../src-main/sync/read'
import { validBody } from './valid-body'

/** What records of any collection of trafficking look like, made from its table and from what is there. */
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

  /** Collections that can be written, those first that others refer to. */
  writable(): Collection[] {
    return this.facts.all.filter((one) => one.service === 'trafficking' && one.writable)
  }

  /** Ids that bodies may refer to, as far as there are any. */
  async learn(): Promise<void> {
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

  /** The place in which a collection is read and written: the profile, and a record of whatever else stands around it. */
  parentOf({ parents }: Collection): string | null {
    return parents.length === 0 ? null : parents.map(({ param }) => this.known[param] ?? '').join('/')
  }

  async list(collection: Collection): Promise<JsonObject[]> {
    const needed = Object.fromEntries((collection.needsOneOf ?? []).map((name) => [name, this.known[name]!]))
    for await (const { records } of pagesOf(this.client, collection, this.parentOf(collection), needed))
      return records.map(({ body }) => body)
    return []
  }

  /** The content of a new record that the service takes; undefined where nothing can be made. */
  async newBody(collection: Collection): Promise<JsonObject | undefined> {
    const { insert, table, schema, name } = collection
    if (!insert) return undefined
    if (collection.ids === 'content' && this.facts.find('creatives') && collection.idFields[0] === 'creativeId')
      return { creativeId: await this.newCreative() }
    const body = validBody(table, schema, this.known, { now: this.now(), operation: insert })
    const made = { ...body, ...besides[name]?.(++this.number) }
    // No two alike, also where the schema asks for no name.
    return table.schemas[schema]!.fields['name'] && made['name'] === undefined
      ? { ...made, name: `Made ${++this.number}` }
      : made
  }

  /** Fields that take any words or a yes or no, with two values each that a record did not have before. */
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

  /** A creative that belongs to no campaign yet. */
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

/** What an insert says besides what the schema requires. */
const besides: Record<string, (number: number) => JsonObject> = {
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

/** Set by the service or bound to other fields, though no flag says so. */
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

/** Fields other than words, by collection: what a second person changes. */
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
