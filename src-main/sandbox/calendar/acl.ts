import type { AclRule } from '#shared/wire/calendar/types'
import { pageOfRows } from '../cursors'
import { listEtag, requireMatch, stampEtag } from '../etags'
import type { Call, HandlersOf, Service } from '../operation'
import { people } from '../people'
import { Problem, invalid, notFound, required } from '../problems'
import { findCalendar, minWriter, openCalendar, type OpenCalendar, type Role } from './access'
import { entryOf, putEntry } from './calendar-list'
import { Channels } from '../channels'

interface RuleRow {
  calendar: string
  rule: string
  role: Role
  changed: number
}

/** Sets the role of a rule ID such as `user:<email>` or `default`. `none` removes the rule and leaves a tombstone. */
export function putRule(service: Service, calendar: string, rule: string, role: Role): void {
  const { store } = service
  store.put('acl', { calendar, rule, role, changed: store.stamp(), data: '{}' })
  service.of(Channels).changed(`acl:${calendar}`)
}

function view(row: RuleRow): AclRule {
  const at = row.rule.indexOf(':')
  const scope = at < 0 ? { type: row.rule } : { type: row.rule.slice(0, at), value: row.rule.slice(at + 1) }
  return { kind: 'calendar#aclRule', etag: stampEtag(row.changed), id: row.rule, scope, role: row.role } as AclRule
}

function ruleId(scope: AclRule['scope']): string {
  const { type, value } = scope ?? {}
  if (!type) throw required('scope.type')
  if (type === 'default') return 'default'
  if (!value) throw required('scope.value')
  if (type !== 'domain' && !/^[^\s@]+@[^\s@]+$/.test(value)) throw invalid('Invalid scope value.', 'scope.value')
  if (type === 'domain' && !/^[\w-]+(\.[\w-]+)+$/.test(value)) throw invalid('Invalid scope value.', 'scope.value')
  return `${type}:${value.toLowerCase()}`
}

/** @throws Problem 404 */
function existing(call: Call, calendar: OpenCalendar, rule: string): RuleRow {
  const row = call.service.store.get<RuleRow>('SELECT * FROM acl WHERE calendar = ? AND rule = ?', calendar.id, rule)
  if (!row || row.role === 'none') throw notFound()
  return row
}

/** @throws Problem 403 if the change would remove the owner's own rule */
function keepOwner(call: Call, calendar: OpenCalendar, rule: string, role: Role): void {
  if (role === 'owner') return
  if (rule !== `user:${calendar.owner}` && rule !== `user:${call.person.email}`) return
  throw new Problem(403, 'cannotChangeOwnAcl', 'Cannot change your own access level.', { domain: 'calendar' })
}

function change(call: Call, calendar: OpenCalendar, rule: string, role: Role): AclRule {
  const { service } = call
  keepOwner(call, calendar, rule, role)
  const before = people.map((person) => findCalendar(service.store, person, calendar.id)?.role)
  putRule(service, calendar.id, rule, role)
  people.forEach((person, index) => {
    const now = findCalendar(service.store, person, calendar.id)?.role
    const entry = entryOf(service.store, person, calendar.id)
    if (now !== 'none' || before[index] === 'none' || !entry) return
    putEntry(service.store, person, calendar.id, entry, true)
    service.of(Channels).changed(`calendarList:${person.id}`)
  })
  const { sendNotifications } = call.params as { sendNotifications?: boolean }
  const recipient = /^(?:user|group):(.+)$/.exec(rule)?.[1]
  if (sendNotifications && recipient && role !== 'none' && recipient !== call.person.email) {
    service.store.run(
      'INSERT INTO mails (at, sender, recipient, subject, calendar, event) VALUES (?, ?, ?, ?, ?, ?)',
      service.store.now,
      call.person.email,
      recipient,
      `Shared calendar: ${calendar.data.summary}`,
      calendar.id,
      '',
    )
  }
  return view(service.store.get<RuleRow>('SELECT * FROM acl WHERE calendar = ? AND rule = ?', calendar.id, rule)!)
}

export const aclHandlers: HandlersOf<'calendar.acl'> = {
  'calendar.acl.list': (call) => {
    const calendar = openCalendar(call, call.params.calendarId, minWriter)
    const rows = call.service.store
      .all<RuleRow>('SELECT * FROM acl WHERE calendar = ?', calendar.id)
      .map((row) => ({ ...row, deleted: row.role === 'none' ? 1 : 0 }))
    const { rows: kept, ...tokens } = pageOfRows(
      call,
      `acl:${calendar.id}`,
      rows,
      (row) => row.rule,
      () => true,
    )
    const list = { kind: 'calendar#acl', ...tokens, items: kept.map(view) }
    return { ...list, etag: listEtag(list) }
  },

  'calendar.acl.get': (call) =>
    view(existing(call, openCalendar(call, call.params.calendarId, minWriter), call.params.ruleId)),

  'calendar.acl.insert': (call) => {
    const calendar = openCalendar(call, call.params.calendarId, 'owner')
    return change(call, calendar, ruleId(call.body.scope), call.body.role!)
  },

  'calendar.acl.update': (call) => {
    const calendar = openCalendar(call, call.params.calendarId, 'owner')
    const row = existing(call, calendar, call.params.ruleId)
    requireMatch(call.ifMatch, stampEtag(row.changed))
    if (ruleId(call.body.scope) !== row.rule) throw invalid('The scope of a rule cannot be changed.', 'scope')
    return change(call, calendar, row.rule, call.body.role ?? row.role)
  },

  'calendar.acl.patch': (call) => {
    const calendar = openCalendar(call, call.params.calendarId, 'owner')
    const row = existing(call, calendar, call.params.ruleId)
    requireMatch(call.ifMatch, stampEtag(row.changed))
    const scope = { ...view(row).scope, ...call.body.scope }
    if (ruleId(scope) !== row.rule) throw invalid('The scope of a rule cannot be changed.', 'scope')
    return change(call, calendar, row.rule, call.body.role ?? row.role)
  },

  'calendar.acl.delete': (call) => {
    const calendar = openCalendar(call, call.params.calendarId, 'owner')
    const row = existing(call, calendar, call.params.ruleId)
    requireMatch(call.ifMatch, stampEtag(row.changed))
    keepOwner(call, calendar, row.rule, 'none')
    change(call, calendar, row.rule, 'none')
  },

  'calendar.acl.watch': (call) => {
    const calendar = openCalendar(call, call.params.calendarId, minWriter)
    const uri = `${call.service.baseUrl()}/calendar/v3/calendars/${encodeURIComponent(calendar.id)}/acl?alt=json`
    return call.service.of(Channels).open(call, `acl:${calendar.id}`, uri)
  },
}
