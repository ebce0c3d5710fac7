import type { CollectionName } from '#shared/facts/names'
import { valueAt } from '#shared/fields/path'
import { objectsAt } from './checked-values'
import type { Around, Checked, Finding, Fix, FixEdit, Rule, Severity } from './rule'
import { rules as allRules } from './rules'

/** Looks up records for the rules. Indexes are built on first use. */
export function aroundOf(
  records: readonly Checked[],
  { zone = 'UTC', ...more }: Pick<Around, 'today' | 'facts' | 'isWhole' | 'knowsAds'> & Partial<Pick<Around, 'zone'>>,
): Around {
  const byId = new Map(records.map((one) => [`${one.collection} ${one.id}`, one]))
  const insides = new Map<string, Map<string, Checked[]>>()
  let slots: Map<string, Checked[]> | undefined
  let shown: Map<string, Checked[]> | undefined
  const indexed = (collection: CollectionName, field: string): Map<string, Checked[]> => {
    const name = `${collection} ${field}`
    let found = insides.get(name)
    if (!found) {
      insides.set(name, (found = new Map()))
      for (const one of records) if (one.collection === collection) add(found, String(valueAt(one.value, field)), one)
    }
    return found
  }
  return {
    ...more,
    zone,
    find: (collection, id) => byId.get(`${collection} ${id}`),
    inside: (collection, field, id) => indexed(collection, field).get(id) ?? [],
    adsOf: (id) => (slots ??= activeAds(records, 'placementAssignments', 'placementId')).get(id) ?? [],
    adsShowing: (id) =>
      (shown ??= activeAds(records, 'creativeRotation.creativeAssignments', 'creativeId')).get(id) ?? [],
  }
}

function add(map: Map<string, Checked[]>, key: string, one: Checked): void {
  const known = map.get(key)
  if (known) known.push(one)
  else map.set(key, [one])
}

/** Active ads by what they're assigned to. @param list path of the assignments @param id field of them */
function activeAds(records: readonly Checked[], list: string, id: string): Map<string, Checked[]> {
  const found = new Map<string, Checked[]>()
  for (const one of records) {
    const { collection, value } = one
    if (collection !== 'ads' || value['active'] !== true || value['archived'] === true) continue
    for (const assignment of objectsAt(value, list))
      if (assignment['active'] === true) add(found, String(assignment[id]), one)
  }
  return found
}

/** Checks records one at a time, so that the caller can pause between them. */
export function* check(
  records: Iterable<Checked>,
  around: Around,
  rules: readonly Rule[] = allRules,
): Generator<readonly Finding[]> {
  const byKind = new Map<string, Rule[]>()
  for (const rule of rules) for (const kind of rule.kinds) byKind.set(kind, [...(byKind.get(kind) ?? []), rule])
  for (const record of records) {
    const own = byKind.get(record.collection) ?? []
    // Archived records do no harm. One archived a moment ago may be rejected, or still be used.
    const isArchived = record.value['archived'] === true
    const isOver = isArchived && record.base?.['archived'] === true
    const wanted = isArchived ? own.filter(({ id, severity }) => severity === 'error' || id.endsWith('.archived')) : own
    yield isOver ? [] : wanted.flatMap((rule) => rule.find(record, around).map((found) => ({ ...found, rule, record })))
  }
}

/** Findings that say the same. */
export interface FindingGroup {
  id: string
  severity: Severity
  title: string
  words: string
  findings: Finding[]
}

const order: Readonly<Record<Severity, number>> = { error: 0, warning: 1, hint: 2 }

/** Groups findings by severity and what they say, errors and large groups first. */
export function groupFindings(findings: readonly Finding[]): FindingGroup[] {
  const groups = new Map<string, FindingGroup>()
  for (const finding of findings) {
    const { rule, words, record } = finding
    const id = [rule.id, record.collection, words].join('\n')
    const known = groups.get(id)
    if (known) known.findings.push(finding)
    else groups.set(id, { id, severity: rule.severity, title: rule.title, words, findings: [finding] })
  }
  return [...groups.values()].sort(
    (a, b) => order[a.severity] - order[b.severity] || b.findings.length - a.findings.length,
  )
}

/** A fix for several findings at once. */
export interface FixForAll extends Fix {
  findings: number
}

/** Later days and moments win where several fixes extend the same record, earlier ones where they move its start. */
function widest(one: FixEdit, other: FixEdit): FixEdit {
  const isStart = /start/i.test(one.path)
  return String(one.value) < String(other.value) === isStart ? one : other
}

/** Fixes of alike findings put together: one edit for each place. */
export function fixesFor(findings: readonly Finding[]): FixForAll[] {
  const found = new Map<string, { edits: Map<string, FixEdit>; findings: number }>()
  for (const { fixes = [] } of findings)
    for (const { words, edits } of fixes) {
      const known = found.get(words) ?? { edits: new Map<string, FixEdit>(), findings: 0 }
      known.findings++
      for (const edit of edits) {
        const place = `${edit.key} ${edit.path}`
        const before = known.edits.get(place)
        known.edits.set(place, before ? widest(before, edit) : edit)
      }
      found.set(words, known)
    }
  return [...found].map(([words, { edits, findings: count }]) => ({
    words,
    findings: count,
    edits: [...edits.values()],
  }))
}
