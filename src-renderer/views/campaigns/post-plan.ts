import { isCostJump, isJump, type MoneyLimits } from '#shared/changes/money-guard'
import type { FieldChange } from '#shared/changes/field-changes'
import type { Finding } from '#shared/checks/rule'
import { parseRecordKey, recordKey } from '#shared/domain/collections'
import type { Collection } from '#shared/facts/collection'
import { kindAt } from '#shared/fields/kind'
import { fieldAt, fieldsWithin } from '#shared/fields/path'
import { collectionOf } from '#shared/facts/references'
import { isJsonObject, sameJson, type Json, type JsonObject } from '#shared/json'
import { merge } from '#shared/merge/merge'
import type { OutboxEntry } from '#shared/mutation/entry'
import { fold } from '#shared/mutation/fold'
import { aroundName, entryChanges, type NamedChange } from '../../context/change-words'
import { outermost } from '../../context/record-names'
import { nanosWords, recordLines, type RecordWordContext } from '../../context/record-words'
import { postingOrder } from '../../replica/posting-order'
import type { Row } from '../../replica/api'
import { counted } from '../../ui/counted'
import { checkDrafts, checkedOf } from './checking'
import { costOfRecord } from './computed'
import { daysBetween, spanOf } from './flights'
import { titleOfKind } from './kinds'
import type { CampaignsModel } from './model.svelte'
import { judgingOf, problemsOf, type Problem } from './problems'
import { readAll } from './records'
import { frameYieldOf } from './frame-yield'

/** A number before and after a change. Undefined if there is none. */
export interface Pair<T> {
  before: T | undefined
  after: T | undefined
}

/** One draft as people check it before they post it. */
export interface PlannedRow {
  entry: OutboxEntry
  /** Key of its record. */
  key: string
  title: string
  /** Name of the campaign or advertiser that it belongs to. Empty for none. */
  around: string
  kind: 'new' | 'changed' | 'archived' | 'unarchived' | 'deleted'
  changes: readonly NamedChange[]
  /** In billionths. Absent if the draft doesn't change it. */
  cost?: Pair<string>
  /** Days of the flight. Absent if the draft doesn't change them. */
  days?: Pair<number>
  /** True if someone else has set one of its fields to another value since its author saw them. */
  contested?: true
  /** Why the service would reject it. */
  problems: readonly Problem[]
  /** Places whose amounts changed more than the limits allow, and the cost of a new record above them. */
  jumps: readonly NamedChange[]
}

/** Drafts of one kind in one campaign. */
export interface PlannedGroup {
  id: string
  /** Name of the campaign or advertiser. Empty outside of any. */
  around: string
  kind: string
  rows: PlannedRow[]
}

export interface PostPlan {
  groups: readonly PlannedGroup[]
  /** By entry ID. */
  rows: ReadonlyMap<string, PlannedRow>
  /** Warnings about money. */
  warnings: readonly Finding[]
  /** IDs of drafts that an entry needs to be sent first. */
  needs: ReadonlyMap<string, readonly string[]>
}

const keyOf = ({ collection, parent, recordId }: OutboxEntry): string => recordKey(collection, parent, recordId)

function kindOfDraft({ kind, patch }: OutboxEntry): PlannedRow['kind'] {
  if (kind === 'create') return 'new'
  if (kind === 'delete') return 'deleted'
  if (Object.keys(patch).length === 1 && typeof patch['archived'] === 'boolean')
    return patch['archived'] === true ? 'archived' : 'unarchived'
  return 'changed'
}

const flightDays = (facts: Collection, value: JsonObject | null): number | undefined => {
  const span = value ? spanOf(facts, value) : undefined
  return span && daysBetween(span.start.slice(0, 10), span.end.slice(0, 10)) + 1
}

function pairOf<T>(before: T | undefined, after: T | undefined): Pair<T> | undefined {
  return before === after ? undefined : { before, after }
}

/** Places of a draft whose amounts changed more than the limits allow, with the cost as a place of its own. */
export function jumpsOf(
  facts: Collection,
  changes: readonly NamedChange[],
  cost: Pair<string> | undefined,
  limits: MoneyLimits,
): NamedChange[] {
  const found = changes.filter(
    ({ path, before, after }) =>
      (kindAt(facts, path) === 'money' || path.endsWith('.units')) && isJump(before, after, limits),
  )
  if (cost && isCostJump(cost.before, cost.after, limits))
    found.push({ path: 'fx.cost', head: 'Cost', before: cost.before, after: cost.after })
  return found
}

/** One draft of a record, which `row` shows with all of its drafts, in which checks found errors. */
export function plannedRow(
  model: Pick<CampaignsModel, 'app' | 'context' | 'titleOf' | 'namesAround' | 'marks'>,
  entry: OutboxEntry,
  row: Row | undefined,
  limits: MoneyLimits,
  errors: readonly Problem[] = [],
): PlannedRow {
  const facts = model.app.replica.facts.of(entry.collection)
  const content = { ...entry.base, ...entry.patch }
  const own = { collection: entry.collection, id: entry.recordId, base: entry.base, value: content }
  const kind = kindOfDraft(entry)
  const key = row?.key ?? keyOf(entry)
  const earlier = (model.marks.get(key)?.entries ?? []).filter(({ id }) => id < entry.id)
  // A new record may be changed by another draft, such as one that waits for what it refers to.
  const served = row && fold(key, row.base, earlier)
  const changes = entryChanges(entry, facts, row?.base && served)
  const contested =
    entry.kind === 'change' &&
    !!entry.base &&
    !!row?.base &&
    merge(facts.rules, entry.base, entry.patch, row.base).conflicts.length > 0
  const around = aroundName(facts, row?.value ?? content, model.namesAround(key))
  const value = row?.value ?? null
  const [before, after] = [row?.base ?? served ?? null, kind === 'deleted' ? null : value]
  const judged = (entry.kind === 'create' || entry.kind === 'change') && row?.value
  const cost = pairOf(costOfRecord(before), costOfRecord(after))
  const days = pairOf(flightDays(facts, before), flightDays(facts, after))
  const problems = judged ? problemsOf(facts, row.value!, row.base !== null, judgingOf(model, row)) : []
  const more = judged ? errors.filter(({ path }) => !problems.some((one) => one.path === path)) : []
  return {
    ...{ entry, key, title: model.titleOf(row ?? own), around: around ?? '', kind, changes },
    ...(cost && { cost }),
    ...(days && { days }),
    ...(contested && { contested }),
    problems: [...problems, ...more],
    // The rates and units of a new record have nothing to be compared with.
    jumps: kind === 'changed' || kind === 'new' ? jumpsOf(facts, kind === 'new' ? [] : changes, cost, limits) : [],
  }
}

/**
 * Everything that drafts would change, by campaign and kind, what the service would reject, and what may cost money.
 * @throws the signal's reason
 */
export async function planPost(
  model: CampaignsModel,
  drafts: readonly OutboxEntry[],
  limits: MoneyLimits,
  signal: AbortSignal,
): Promise<PostPlan> {
  const { replica } = model.app
  const read = await readAll(replica, [...new Set(drafts.map(keyOf))], { signal })
  const yielder = frameYieldOf(signal)
  const found = await findingsIn(model, [...read.values()], signal)
  const errors = new Map<string, Finding[]>()
  for (const one of found)
    if (one.rule.severity === 'error') errors.set(one.record.key, [...(errors.get(one.record.key) ?? []), one])
  const groups = new Map<string, PlannedGroup>()
  const rows = new Map<string, PlannedRow>()
  for (const entry of drafts) {
    const key = keyOf(entry)
    const row = read.get(key)
    const planned = plannedRow(model, entry, row, limits, errors.get(key))
    rows.set(entry.id, planned)
    const facts = replica.facts.of(entry.collection)
    // A campaign heads the group of what is in it.
    const around = model.around.at(-1)?.name === entry.collection ? planned.title : planned.around
    const id = `${around}\n${entry.collection}`
    const group = groups.get(id) ?? { id, around, kind: titleOfKind(facts), rows: [] }
    group.rows.push(planned)
    groups.set(id, group)
    if (yielder.due) await yielder.take()
  }
  const order = new Map(model.kinds.map(({ name }, at) => [titleOfKind(replica.facts.of(name)), at]))
  const sorted = [...groups.values()].sort(
    (a, b) => a.around.localeCompare(b.around) || (order.get(a.kind) ?? 99) - (order.get(b.kind) ?? 99),
  )
  const warnings = found.filter(({ rule }) => rule.severity !== 'error')
  return { groups: sorted, rows, warnings, needs: needsOf(model, drafts) }
}

/** What checks find in the records of drafts, by profile. */
async function findingsIn(
  { app, today, context }: CampaignsModel,
  rows: readonly Row[],
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const profileOf = ({ key }: Row): string => outermost(parseRecordKey(key).parent) ?? ''
  const found: Finding[] = []
  for (const profile of new Set(rows.map(profileOf))) {
    const records = rows.filter((row) => row.value && profileOf(row) === profile).map(checkedOf)
    found.push(...(await checkDrafts(app.replica, records, { profile, today, zone: context.zone }, { signal })))
  }
  return found
}

/** What each draft needs to be sent first: records that it refers to, and records that must make room. */
function needsOf({ app }: CampaignsModel, drafts: readonly OutboxEntry[]): Map<string, string[]> {
  const { replica } = app
  const needs = new Map(drafts.map(({ id, dependsOn }) => [id, [...dependsOn]]))
  for (const { id, after } of postingOrder(replica.facts, drafts, (key) => replica.peek(key)?.base))
    needs.get(id)?.push(after)
  return needs
}

/** IDs of drafts that the given ones need, directly or through others, without those themselves. */
export function neededBy(ids: Iterable<string>, needs: PostPlan['needs']): Set<string> {
  const chosen = new Set(ids)
  const found = new Set<string>()
  const open = [...chosen]
  for (let id = open.pop(); id !== undefined; id = open.pop())
    for (const other of needs.get(id) ?? [])
      if (needs.has(other) && !chosen.has(other) && !found.has(other)) {
        found.add(other)
        open.push(other)
      }
  return found
}

export const costText = (amount: string | undefined): string => (amount === undefined ? 'none' : nanosWords(amount))

/** How one side of a list of parts differs from the other: by each part’s reference, and by the fields that differ. */
function partTexts(
  facts: Collection,
  path: string,
  [parts, others]: readonly [readonly Json[], readonly Json[]],
  context: RecordWordContext,
): string[] {
  const item = fieldAt(facts, path)?.of
  const fields = (item && fieldsWithin(facts.table, item)) ?? {}
  const named = Object.keys(fields).find((name) => collectionOf(name) && !fields[name]!.readOnly)
  return parts.flatMap((part, at) => {
    if (!isJsonObject(part) || others.some((other) => sameJson(other, part))) return []
    const twin =
      named === undefined ? others[at] : others.find((other) => isJsonObject(other) && other[named] === part[named])
    const title = named === undefined ? '' : recordLines(facts, `${path}.0.${named}`, part[named], context).join(' ')
    if (!isJsonObject(twin)) return title || recordLines(facts, path, [part], context)
    const own = Object.entries(part).filter(([name, value]) => !sameJson(value, twin[name]))
    const differing = recordLines(facts, path, [Object.fromEntries(own)], context).join(', ')
    // The fields come first, because a narrow column cuts the rest.
    return [differing || 'empty', title && `(${title})`].filter(Boolean).join(' ')
  })
}

/**
 * Formats one side of a change. Of a list of parts, it shows those that differ from the other side. Empty if there is
 * none.
 */
export function changeText(
  facts: Collection,
  { path, before, after }: Pick<NamedChange, 'path'> & Partial<FieldChange>,
  value: NamedChange['before'],
  context: RecordWordContext,
): string {
  if (kindAt(facts, path) === 'number' && /^-?\d{4,}$/.test(String(value))) return Number(value).toLocaleString('en')
  const lines = recordLines(facts, path, value, context)
  if (!Array.isArray(value) || !value.some(isJsonObject) || !lines.some((line) => line.includes(': ')))
    return firstOf(lines)
  const other = sameJson(value, after ?? undefined) ? before : after
  const others = Array.isArray(other) ? other : []
  const parts = firstOf(partTexts(facts, path, [value, others], context))
  const count = counted(value.length, 'entry', 'entries')
  if (parts === '') return count
  return others.length === 0 || others.length === value.length ? parts : `${count}: ${parts}`
}

const firstOf = (lines: readonly string[]): string =>
  lines.length > 4 ? `${lines.slice(0, 3).join(', ')} + ${lines.length - 3}` : lines.join(', ')
