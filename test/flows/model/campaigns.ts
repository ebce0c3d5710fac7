import { recordKey, type CollectionName } from '#shared/domain/collections'
import { factsOf } from '#shared/facts/facts'
import { isJsonObject, type Json, type JsonObject } from '#shared/json'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { Change } from '../../../src-renderer/replica/api'
import type { VirtualClock } from './clock'
import { postingOrder } from '../../../src-renderer/replica/posting-order'
import type { Device } from './device'
import { wordsIn } from './ledger'
import { editParts, partLists } from './part-lists'
import type { Pledge } from './promises'
import type { Call } from './call'
import type { ModelService } from './service'
import type { ModelProfile } from './trafficking'

/** What an edit does, and what must be found again. */
export interface Made {
  changes: Change[]
  what: string
  promise?: Pledge
}

/** A record as the device's user sees it. */
interface Seen {
  collection: CollectionName
  profile: string
  id: string
  key: string
  value: JsonObject
}

/** The collections that campaign users work with. The others are empty. */
export const kept = [
  'advertisers',
  'campaigns',
  'advertiserLandingPages',
  'sites',
  'eventTags',
  'placementGroups',
  'placements',
  'ads',
] as const satisfies readonly CollectionName[]

/** For collections with fields that never change and fields that users write. */
const madeIn: Partial<Record<CollectionName, string>> = {
  campaigns: 'externalId',
  placements: 'externalId',
  placementGroups: 'externalId',
  ads: 'comments',
  advertiserLandingPages: 'url',
  eventTags: 'url',
}
const writtenIn: Partial<Record<CollectionName, readonly string[]>> = {
  advertisers: ['name'],
  campaigns: ['name', 'comment'],
  placements: ['name', 'comment'],
  placementGroups: ['name', 'comment'],
  ads: ['name'],
  advertiserLandingPages: ['name'],
  eventTags: ['name'],
}

const someoneElse = 'x'

/** Campaign users: their edits, others' concurrent writes, and what the auditor checks afterwards. */
export class Campaigns {
  /** Words inside parts of records. */
  readonly partWords = new Set<string>()
  /** Entries that were sent without being posted. */
  readonly unposted: string[] = []
  /** Words and entries released by the user, by device. */
  private readonly released = new Map<string, Set<string>>()

  constructor(
    private readonly service: ModelService,
    clock: VirtualClock,
    private readonly random: () => number,
    /** The author of a word. */
    private readonly authorOf: (word: string) => string | undefined,
    /** Records start with parts, which others may change concurrently. */
    private readonly parts?: { slips: boolean },
  ) {
    const { profiles } = service.trafficking
    for (const account of random() < 0.3 ? ['1', '2'] : ['1'])
      profiles.push(
        { id: `7${account}`, account, name: 'Mine', mine: true },
        { id: `8${account}`, account, name: 'Somebody', mine: false },
      )
    // Too long ago to appear in a change log.
    const began = clock.time
    clock.time -= 30 * 86_400_000
    for (const { id, mine } of profiles) if (!mine) this.found(id, 2)
    clock.time = began
  }

  /** Records that existed before the start. */
  private found(profile: string, campaigns: number): void {
    const site = this.write(profile, 'sites', { name: 'Daily', directorySiteId: this.directorySite(profile) })
    const advertiser = this.write(profile, 'advertisers', { name: 'Nordic' })
    const page = this.page(profile, advertiser, 'Home')
    for (let number = 0; number < campaigns; number++) {
      const campaign = this.write(profile, 'campaigns', { ...campaignBody(advertiser), name: `Campaign ${number}` })
      const slots = ['Left', 'Right'].map((name) =>
        this.write(profile, 'placements', { ...placementBody(campaign, site), name }),
      )
      this.write(profile, 'ads', {
        ...adBody(campaign, slots, page),
        name: 'Rotation',
        ...this.rotation(advertiser, profile),
      })
    }
    this.write(profile, 'eventTags', { ...eventTagBody(advertiser), name: 'Pixel' })
  }

  /** One creative twice and another one, since equal keys are normal. */
  private rotation({ id }: JsonObject, profile: string): JsonObject {
    if (!this.parts) return {}
    const [one, two] = ['Banner', 'Skyscraper'].map((name) =>
      this.write(profile, 'creatives', { advertiserId: id!, name, type: 'DISPLAY' }),
    )
    const creativeAssignments = [one!, one!, two!].map((creative, index) => ({
      creativeId: creative.id!,
      active: true,
      weight: index + 1,
    }))
    return { creativeRotation: { type: 'CREATIVE_ROTATION_TYPE_RANDOM', creativeAssignments } }
  }

  private directorySite(profile: string): Json {
    return this.write(profile, 'directorySites', { name: 'daily.example', url: 'https://daily.example/' }).id!
  }

  private page(profile: string, { id }: JsonObject, name: string): JsonObject {
    return this.write(profile, 'advertiserLandingPages', { name, url: 'https://www.example/', advertiserId: id! })
  }

  private write(profileId: string, collection: CollectionName, body: JsonObject): JsonObject {
    return this.service.callAs(someoneElse, `trafficking.${collection}.insert`, { profileId }, body)!
  }

  /** What a user sees of campaigns before the next step. */
  async seenOn(device: Device): Promise<Seen[]> {
    const { replica } = device
    const seen: Seen[] = []
    for (const { id: profile } of this.mine)
      for (const collection of kept)
        for (const { key, id, value } of await rowsOf(device, collection, profile))
          if (value) seen.push({ collection, profile, id, key, value })
    return seen.filter(({ key }) => replica.peek(key)?.value !== null)
  }

  /** An edit of a visible record, or undefined without a suitable one. */
  change(seen: readonly Seen[], marker: string): Made | undefined {
    const dice = this.random()
    const of = (collection: CollectionName): Seen[] => seen.filter((one) => one.collection === collection)
    const name = this.random() < 0.03 ? 'poison' : `t${marker}`
    if (dice < 0.3) return this.rewrite(seen, marker)
    if (dice < 0.38) return this.shift(this.recent([...of('campaigns'), ...of('placements')]), marker)
    if (dice < 0.46) return this.newPage(this.recent(of('advertisers')), name, marker)
    if (dice < 0.51) return this.newCampaign(this.recent(of('advertisers')), of('advertiserLandingPages'), name, marker)
    if (dice < 0.59) return this.newGroup(this.recent(of('campaigns')), of('sites'), name, marker)
    if (dice < 0.69) return this.newPlacement(this.recent(of('campaigns')), seen, name, marker)
    if (dice < 0.78) return this.newAd(this.recent(of('campaigns')), seen, name, marker)
    if (dice < 0.85)
      return this.end(seen.filter(({ collection }) => collection !== 'sites' && collection !== 'advertisers'))
    if (dice < 0.92) return this.refer(seen)
    if (dice < 0.95) return this.newEventTag(this.recent(of('advertisers')), name, marker)
    return this.rewriteMany(of('placements'), marker)
  }

  /** An edit of a list of parts. */
  changeParts(seen: readonly Seen[], marker: string): Made | undefined {
    const row = this.recent(seen.filter(({ collection }) => partLists[collection]))
    const list = row && partLists[row.collection]
    const edit = list && editParts(list, row.value, marker, this.random)
    if (!edit) return undefined
    this.partWords.add(marker)
    return {
      what: `${edit.what} of ${row.collection}`,
      changes: [{ kind: 'change', key: row.key, patch: edit.patch }],
      promise: { ...(edit.isWritten && { field: `part ${marker}` }), replaces: edit.replaces },
    }
  }

  /** A record of a chain: an advertiser with a landing page and a campaign, a placement in it, and an ad for both. */
  link(seen: readonly Seen[], depth: number, marker: string): Made | undefined {
    const last = <T>(rows: readonly T[]): T | undefined => rows[rows.length - 1]
    const of = (collection: CollectionName): Seen[] =>
      seen.filter((one) => one.collection === collection && one.id.startsWith('local:'))
    const name = `t${marker}`
    const [advertiser, page, campaign] = [
      last(of('advertisers')),
      last(of('advertiserLandingPages')),
      last(of('campaigns')),
    ]
    if (depth === 0) {
      const profile = this.pick(this.mine).id
      return {
        what: 'new advertiser',
        changes: [{ kind: 'create', collection: 'advertisers', parent: profile, value: { name } }],
        promise: { field: 'name' },
      }
    }
    if (depth === 1) return this.newPage(advertiser, name, marker)
    if (depth === 2) return this.newCampaign(advertiser, page ? [page] : [], name, marker)
    if (depth === 3) return this.newPlacement(campaign, seen, name, marker)
    return this.newAd(campaign, seen, name, marker)
  }

  private rewrite(seen: readonly Seen[], marker: string): Made | undefined {
    const row = this.recent(seen.filter(({ collection }) => writtenIn[collection]))
    if (!row) return undefined
    const field = this.pick(writtenIn[row.collection]!)
    return {
      what: `rewrite ${row.collection}`,
      changes: [{ kind: 'change', key: row.key, patch: { [field]: marker } }],
      promise: { field },
    }
  }

  private rewriteMany(seen: readonly Seen[], marker: string): Made | undefined {
    if (seen.length < 2) return undefined
    const changes = seen.slice(0, 3).map(({ key }): Change => ({ kind: 'change', key, patch: { comment: marker } }))
    return { what: 'rewrite many', changes, promise: { field: 'comment' } }
  }

  /** Shifts dates, together with a word that identifies the edit. */
  private shift(row: Seen | undefined, marker: string): Made | undefined {
    if (!row) return undefined
    const endDate = `2026-05-${String(10 + Math.floor(this.random() * 20))}`
    const dates =
      row.collection === 'campaigns' ? { endDate } : { pricingSchedule: { ...this.pricingOf(row), endDate } }
    return {
      what: `shift ${row.collection}`,
      changes: [{ kind: 'change', key: row.key, patch: { ...dates, comment: marker } }],
      promise: { field: 'comment' },
    }
  }

  private pricingOf({ value }: Seen): JsonObject {
    return this.parts && isJsonObject(value.pricingSchedule) ? value.pricingSchedule : pricing
  }

  private newPage(advertiser: Seen | undefined, name: string, marker: string): Made | undefined {
    if (!advertiser) return undefined
    return this.create('advertiserLandingPages', advertiser.profile, { name, advertiserId: advertiser.id }, marker)
  }

  private newEventTag(advertiser: Seen | undefined, name: string, marker: string): Made | undefined {
    if (!advertiser) return undefined
    return this.create('eventTags', advertiser.profile, { ...eventTagBody({ id: advertiser.id }), name }, marker)
  }

  private newCampaign(
    advertiser: Seen | undefined,
    pages: readonly Seen[],
    name: string,
    marker: string,
  ): Made | undefined {
    if (!advertiser) return undefined
    const page = this.recent(pages.filter(({ value }) => value.advertiserId === advertiser.id))
    const value = { ...campaignBody({ id: advertiser.id }), ...(page && { defaultLandingPageId: page.id }), name }
    return this.create('campaigns', advertiser.profile, value, marker, page && 'campaign that refers')
  }

  private newGroup(campaign: Seen | undefined, sites: readonly Seen[], name: string, marker: string): Made | undefined {
    const site = campaign && this.recent(sites.filter(({ profile }) => profile === campaign.profile))
    if (!campaign || !site) return undefined
    const value = { ...placementBody(own(campaign), { id: site.id }), placementGroupType: 'PLACEMENT_PACKAGE', name }
    const {
      size: _size,
      tagFormats: _formats,
      compatibility: _compatibility,
      paymentSource: _source,
      ...group
    } = value as JsonObject
    return this.create('placementGroups', campaign.profile, group, marker)
  }

  /** Sometimes reuses a name: names don't identify records. */
  private newPlacement(
    campaign: Seen | undefined,
    seen: readonly Seen[],
    name: string,
    marker: string,
  ): Made | undefined {
    const inside = seen.filter(({ profile }) => profile === campaign?.profile)
    const site = this.recent(inside.filter(({ collection }) => collection === 'sites'))
    if (!campaign || !site) return undefined
    const group = this.recent(inside.filter((one) => one.collection === 'placementGroups' && isIn(one, campaign)))
    const twin = this.recent(inside.filter((one) => one.collection === 'placements' && isIn(one, campaign)))
    const grouped = group && this.random() < 0.5 ? { placementGroupId: group.id } : {}
    const named = twin && this.random() < 0.2 ? { name: twin.value.name! } : { name }
    const value = { ...placementBody(own(campaign), { id: site.id }), ...grouped, ...named }
    return this.create(
      'placements',
      campaign.profile,
      value,
      marker,
      'name' in named && named.name !== name ? 'twin' : undefined,
    )
  }

  private newAd(campaign: Seen | undefined, seen: readonly Seen[], name: string, marker: string): Made | undefined {
    if (!campaign) return undefined
    const inside = seen.filter(({ profile }) => profile === campaign.profile)
    const slots = inside.filter((one) => one.collection === 'placements' && isIn(one, campaign))
    const page = this.recent(
      inside.filter(
        ({ collection, value }) =>
          collection === 'advertiserLandingPages' && value.advertiserId === campaign.value.advertiserId,
      ),
    )
    if (slots.length === 0 || !page) return undefined
    const chosen = [...new Set([this.recent(slots)!, this.pick(slots)])]
    const value = {
      ...adBody(
        own(campaign),
        chosen.map(({ id }) => ({ id })),
        { id: page.id },
      ),
      name,
    }
    return this.create('ads', campaign.profile, value, marker)
  }

  private create(collection: CollectionName, profile: string, value: JsonObject, marker: string, what?: string): Made {
    const field = madeIn[collection]!
    const text = field === 'url' ? `https://www.example/?made ${marker}.` : `made ${marker}.`
    return {
      what: `new ${what ?? collection}`,
      changes: [{ kind: 'create', collection, parent: profile, value: { ...value, [field]: text } }],
      promise: { field: 'made' },
    }
  }

  private end(seen: readonly Seen[]): Made | undefined {
    const archived = seen.filter(({ value }) => value.archived === true)
    const row = this.recent(archived.length > 0 && this.random() < 0.3 ? archived : seen)
    if (!row) return undefined
    const { collection, key, value } = row
    if (value.archived === true)
      return { what: 'unarchive', changes: [{ kind: 'change', key, patch: { archived: false } }] }
    const deleted = factsOf().of(collection).ends === 'delete' || row.id.startsWith('local:')
    return {
      what: deleted ? 'delete record' : 'archive',
      changes: [{ kind: 'delete', key }],
      ...(deleted && { promise: { ends: [key] } }),
    }
  }

  /** Makes an existing record refer to another. */
  private refer(seen: readonly Seen[]): Made | undefined {
    const groups = new Set(
      seen.filter(({ collection }) => collection === 'placementGroups').map(({ value }) => value.campaignId),
    )
    const grouped = seen.filter((one) => one.collection === 'placements' && groups.has(one.value.campaignId))
    const others = seen.filter(({ collection }) => collection === 'campaigns' || collection === 'ads')
    const row = this.recent(grouped.length > 0 && this.random() < 0.5 ? grouped : others)
    if (!row) return undefined
    const beside = seen.filter(({ profile }) => profile === row.profile)
    const patch = (): JsonObject | undefined => {
      if (row.collection === 'campaigns') {
        const page = this.recent(beside.filter((one) => one.collection === 'advertiserLandingPages'))
        return page && { defaultLandingPageId: page.id }
      }
      const { campaignId } = row.value
      const wanted = row.collection === 'ads' ? 'placements' : 'placementGroups'
      const inside = beside.filter((one) => one.collection === wanted && one.value.campaignId === campaignId)
      const target = this.recent(inside)
      if (!target) return undefined
      if (row.collection === 'placements') return { placementGroupId: target.id }
      const before = row.value.placementAssignments
      const assigned = (Array.isArray(before) ? before.filter(isJsonObject) : []).filter(
        (one) => one.placementId !== target.id,
      )
      return { placementAssignments: [...assigned, { placementId: target.id, active: true }] }
    }
    const change = patch()
    return change && { what: `refer ${row.collection}`, changes: [{ kind: 'change', key: row.key, patch: change }] }
  }

  /** Writes to the service as someone else who sees everything. @returns a description */
  othersWrite(marker: string): string {
    const profile = this.pick(this.theirs)
    const collection = this.pick([
      ...(['campaigns', 'placements', 'ads', 'advertiserLandingPages', 'eventTags'] as const),
      ...(this.parts ? (['sites'] as const) : []),
    ])
    const there = this.service.trafficking.living(collection, profile.account)
    const record = there[Math.floor(this.random() * there.length)]
    const dice = this.random()
    if (!record || dice < 0.1) {
      this.page(profile.id, this.pick(this.service.trafficking.living('advertisers', profile.account)), marker)
      return 'others make'
    }
    const params = { profileId: profile.id, id: record.id! }
    const parts = this.parts && this.random() < 0.4 ? this.othersPatch(collection, record, marker) : undefined
    try {
      if (parts) {
        this.service.callAs(someoneElse, `trafficking.${collection}.patch`, params, parts)
        return 'others change parts'
      }
      if (collection === 'eventTags' && dice < 0.4) {
        this.service.callAs(someoneElse, 'trafficking.eventTags.delete', params)
        return 'others delete'
      }
      const archives = dice < 0.25 && collection !== 'eventTags' && collection !== 'sites'
      const field = this.pick(writtenIn[collection] ?? ['name'])
      const patch: JsonObject = archives ? { archived: record.archived !== true } : { [field]: marker }
      this.service.callAs(someoneElse, `trafficking.${collection}.patch`, params, patch)
      return archives ? 'others archive' : 'others rewrite'
    } catch {
      return 'others refused'
    }
  }

  private othersPatch(collection: CollectionName, record: JsonObject, marker: string): JsonObject | undefined {
    const list = partLists[collection]
    this.partWords.add(marker)
    return list && editParts(list, record, marker, this.random)?.patch
  }

  /** Creates a record with the same name and parent as someone else. @returns whether it did */
  createsSameName({ id, params, body = {} }: Call, marker: string): boolean {
    const collection = id.split('.')[1] as CollectionName
    const field = madeIn[collection]
    const profile = this.otherProfile(params)
    if (!field || !profile || !/insert$/.test(id)) return false
    const text = field === 'url' ? `https://www.example/?made ${marker}.` : `made ${marker}.`
    return this.tries(id, { profileId: profile.id }, { ...body, [field]: text })
  }

  /** Renames a new record as someone else before its author gets a response. @returns whether it did */
  renamesNew({ id, params }: Call, made: JsonObject, marker: string): boolean {
    const profile = this.otherProfile(params)
    if (!profile || !/insert$/.test(id)) return false
    const about = { profileId: profile.id, id: made.id! }
    return this.tries(id.replace(/insert$/, 'patch'), about, { name: marker })
  }

  private otherProfile({ profileId }: JsonObject): ModelProfile | undefined {
    const account = this.mine.find(({ id }) => id === profileId)?.account
    return this.theirs.find((profile) => profile.account === account)
  }

  private tries(id: string, params: JsonObject, body: JsonObject): boolean {
    try {
      this.service.callAs(someoneElse, id, params, body)
      return true
    } catch {
      return false
    }
  }

  /** Changes the record that a call is about to write, as someone else. @returns whether it did */
  overwritesFirst({ id, params, body = {} }: Call, marker: string): boolean {
    const collection = id.split('.')[1] as CollectionName
    const fields = writtenIn[collection]
    const other = this.otherProfile(params)
    if (!other || !id.endsWith('.patch')) return false
    const about = { profileId: other.id, id: params.id! }
    const list = partLists[collection]
    const isAboutParts = list && Object.keys(list.patch({}, [])).some((name) => name in body)
    if (this.parts?.slips && list && (isAboutParts ? this.random() < 0.8 : !fields)) {
      this.partWords.add(marker)
      const record = this.service.callAs(someoneElse, id.replace(/patch$/, 'get'), about)
      const edit = record && editParts(list, record, marker, this.random)
      return edit !== undefined && this.tries(id, about, edit.patch)
    }
    if (!fields) return false
    const field = fields.find((one) => one in body) ?? fields[0]!
    return this.tries(id, about, { [this.random() < 0.6 ? field : fields.at(-1)!]: marker })
  }

  /** Posts all drafts or one. @returns a description */
  async post(device: Device, all: boolean, markers: Iterable<string>): Promise<string> {
    const drafts = device.replica.outbox().filter(({ held }) => held)
    const needing = drafts.filter(({ dependsOn }) => dependsOn.length > 0)
    const among = needing.length > 0 && this.random() < 0.8 ? needing : drafts
    const chosen = all ? drafts : among.length > 0 ? [this.pick(among)] : []
    const going = withNeeded(device, chosen)
    const released = this.releasedOn(device.name)
    for (const { id, patch } of going) for (const word of [id, ...wordsIn(patch)]) released.add(word)
    // An edit still on its way to the outbox is posted, too.
    if (all) for (const word of markers) released.add(word)
    if (!all && chosen.length === 0) return 'post nothing'
    await device.replica.post(all ? undefined : chosen.map(({ id }) => id))
    return all ? 'post all' : going.length > 1 ? 'post with what it needs' : 'post one'
  }

  /** Discards a draft. @returns its ID */
  draftToDiscard(device: Device): OutboxEntry | undefined {
    const drafts = device.replica.outbox().filter(({ held }) => held)
    return drafts.length > 0 ? this.pick(drafts) : undefined
  }

  /** Called when an entry is being sent. */
  sent(device: string, entry: OutboxEntry): void {
    if (factsOf().of(entry.collection).service !== 'trafficking') return
    const released = this.releasedOn(device)
    const words = [...wordsIn(entry.patch)].filter((word) => this.authorOf(word) === device)
    const asked = words.length > 0 ? words : [entry.id]
    if (entry.held === true || asked.some((word) => !released.has(word)))
      this.unposted.push(`${entry.kind} ${entry.collection} ${entry.label} on ${device}`)
  }

  /** Every record of this computer and of the service, by type. */
  async sides(device: Device): Promise<{ what: string; mine: Map<string, JsonObject>; theirs: JsonObject[] }[]> {
    const sides = []
    for (const { id, account } of this.mine)
      for (const collection of kept) {
        const rows = (await rowsOf(device, collection, id)).filter(({ value }) => value)
        const mine = new Map(rows.map((row) => [row.id, row.value!]))
        sides.push({
          what: `${collection} of ${id}`,
          mine,
          theirs: this.service.trafficking.living(collection, account),
        })
      }
    return sides
  }

  /** Creations by the word they were created with, and by the words in their names. */
  made(): { made: string; name: string | undefined }[] {
    return this.mine.flatMap(({ account }) =>
      kept.flatMap((collection) =>
        this.service.trafficking.living(collection, account).flatMap((value) => {
          const made = /made (m\d+)\./.exec(JSON.stringify(value))?.[1]
          return made === undefined ? [] : [{ made, name: /m\d+/.exec(String(value.name))?.[0] }]
        }),
      ),
    )
  }

  private get mine(): ModelProfile[] {
    return this.service.trafficking.profiles.filter(({ mine }) => mine)
  }

  private get theirs(): ModelProfile[] {
    return this.service.trafficking.profiles.filter(({ mine }) => !mine)
  }

  private releasedOn(device: string): Set<string> {
    let released = this.released.get(device)
    if (!released) this.released.set(device, (released = new Set()))
    return released
  }

  /** Users mostly work with their latest records. */
  private recent(rows: readonly Seen[]): Seen | undefined {
    const fresh = rows.filter(({ id }) => id.startsWith('local:'))
    const among = fresh.length > 0 && this.random() < 0.8 ? fresh : rows
    return among.length > 0 ? this.pick(among) : undefined
  }

  private pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.random() * items.length)]!
  }
}

/** Rows of a parent, from memory, and from disk if memory has only columns. */
async function rowsOf(
  device: Device,
  collection: CollectionName,
  profile: string,
): Promise<{ key: string; id: string; value: JsonObject | null }[]> {
  const { replica } = device
  if (factsOf().of(collection).keep === 'whole') return [...replica.rows(collection as 'campaigns', profile)]
  const stored = await device.stored(collection, profile)
  const known = new Set(stored.map(({ key }) => key))
  const waiting = replica
    .outbox()
    .filter((entry) => entry.kind === 'create' && entry.collection === collection && entry.parent === profile)
    .map(({ recordId }) => ({ key: recordKey(collection, profile, recordId), id: recordId, base: null }))
  return [...stored, ...waiting.filter(({ key }) => !known.has(key))].map(({ key, id, base }) => {
    const row = replica.peek(key)
    return { key, id, value: row ? row.value : base }
  })
}

/** Entries and all that must be sent before them, as the dialog before posting lists them. */
function withNeeded({ replica }: Device, chosen: readonly OutboxEntry[]): OutboxEntry[] {
  const outbox = replica.outbox()
  const byId = new Map(outbox.map((entry) => [entry.id, entry]))
  const orders = postingOrder(factsOf(), outbox, (key) => replica.peek(key)?.base)
  const found = new Set(chosen)
  for (const { id, dependsOn } of found)
    for (const other of [...dependsOn, ...orders.flatMap((order) => (order.id === id ? [order.after] : []))])
      if (byId.has(other)) found.add(byId.get(other)!)
  return [...found]
}

const isIn = ({ value }: Seen, campaign: Seen): boolean => value.campaignId === campaign.id
/** The references a record inside a campaign needs. */
const own = ({ id, value }: Seen): JsonObject => ({ id, advertiserId: value.advertiserId! })

const pricing = { pricingType: 'PRICING_TYPE_CPM', startDate: '2026-03-02', endDate: '2026-04-30' }

const campaignBody = ({ id }: JsonObject): JsonObject => ({
  advertiserId: id!,
  startDate: '2026-03-01',
  endDate: '2026-05-01',
})

const placementBody = (campaign: JsonObject, site: JsonObject): JsonObject => ({
  advertiserId: campaign.advertiserId!,
  campaignId: campaign.id!,
  siteId: site.id!,
  compatibility: 'DISPLAY',
  paymentSource: 'PLACEMENT_AGENCY_PAID',
  size: { width: 300, height: 250 },
  tagFormats: ['PLACEMENT_TAG_STANDARD'],
  pricingSchedule: pricing,
})

const adBody = (campaign: JsonObject, placements: readonly JsonObject[], page: JsonObject): JsonObject => ({
  advertiserId: campaign.advertiserId!,
  campaignId: campaign.id!,
  type: 'AD_SERVING_STANDARD_AD',
  startTime: '2026-03-02T00:00:00.000Z',
  endTime: '2026-04-30T23:59:59.000Z',
  placementAssignments: placements.map(({ id }) => ({ placementId: id!, active: true })),
  clickThroughUrl: { landingPageId: page.id! },
})

const eventTagBody = ({ id }: JsonObject): JsonObject => ({
  advertiserId: id!,
  status: 'ENABLED',
  type: 'IMPRESSION_IMAGE_EVENT_TAG',
  url: 'https://pixel.example/',
})
