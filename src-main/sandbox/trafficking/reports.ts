import type { JsonObject } from '#shared/json'
import { validate } from '#shared/wire/validate'
import { mergePatch, violationProblem } from '../bodies'
import { contentEtag } from '../etags'
import type { Call, HandlersOf } from '../operation'
import { Problem } from '../problems'
import { dayAt } from '../reporting/days'
import { ReportFault, checkReport, objectsAt, objectAt } from '../reporting/report-check'
import { reportZone } from '../reporting/source'
import { compatibleFieldHandlers } from './compatible-fields'
import { objectsOf } from './objects'
import type { Stored } from './stored'
import { profileOf, type Profile } from './profiles'
import { missing, noSuch, refusal } from './refusals'
import { filesOf, isRunning, reportFileHandlers, removeFiles, settleRuns, startRun, viewFile } from './report-files'
import { answerReportPage } from './report-page'
import { view } from './view'

const collection = 'reports'

function findReport(call: Call, profile: Profile): Stored {
  const { reportId } = call.params as { reportId: string }
  const report = objectsOf(call.service.store).get(collection, reportId)
  if (!report || report.accountId !== profile.accountId) throw noSuch('report', reportId)
  return report
}

function viewReport(call: Call, report: Stored): JsonObject {
  const shown = view(call.table, objectsOf(call.service.store), collection, 'Report', report, 'get')
  return { ...shown, etag: contentEtag(shown) }
}

/** @throws Problem 400 that names the field. */
function check(call: Call, profile: Profile, report: JsonObject): void {
  const name = typeof report.name === 'string' ? report.name.trim() : ''
  if (name === '') throw missing('name')
  if (name.length > 255) throw refusal('general', 'The name may have at most 255 characters.', 'name')
  const owner = objectsOf(call.service.store).get('userProfiles', String(report.ownerProfileId))
  if (!owner || owner.accountId !== profile.accountId)
    throw refusal('foreign', `There is no profile ${String(report.ownerProfileId)} in this account.`, 'ownerProfileId')
  objectsAt(objectAt(report.delivery).recipients).forEach(({ email }, index) => {
    if (!/^[^\s@]+@[^\s@]+$/.test(String(email)))
      throw refusal('general', `Not an e-mail address: ${String(email)}`, `delivery.recipients[${index}].email`)
  })
  try {
    checkReport(report, dayAt(call.service.store.now, reportZone(call.service, profile.accountId)))
  } catch (error) {
    if (error instanceof ReportFault) throw refusal('general', error.message, error.location)
    throw error
  }
}

function save(call: Call, report: Stored): JsonObject {
  objectsOf(call.service.store).put(collection, report)
  return viewReport(call, report)
}

/** Adds the service's default values. */
const withDefaults = (report: JsonObject): JsonObject => ({
  ...report,
  format: report.format ?? 'CSV',
  fileName:
    report.fileName ??
    String(report.name)
      .trim()
      .replace(/[^\p{L}\p{N}.-]+/gu, '_'),
})

/** Time of change, always later than that of the previous version. */
const modifiedNow = (call: Call, before?: Stored): string =>
  String(Math.max(call.service.store.now, Number(before?.lastModifiedTime ?? 0) + 1))

function changed(call: Call, profile: Profile, before: Stored, after: JsonObject): JsonObject {
  for (const name of ['id', 'accountId', 'subAccountId'] as const)
    if (after[name] !== undefined && after[name] !== before[name])
      throw refusal('fixed', `${name} cannot be changed.`, name)
  const { table } = call
  const [violation] = validate(
    table,
    'Report',
    { ...after, id: before.id, accountId: before.accountId, lastModifiedTime: before.lastModifiedTime },
    { kind: 'update', operation: 'trafficking.reports.update' },
  )
  if (violation) throw violationProblem(violation)
  check(call, profile, after)
  return save(call, {
    ...withDefaults(after),
    kind: 'trafficking#report',
    id: before.id,
    accountId: before.accountId,
    ...(before.subAccountId ? { subAccountId: before.subAccountId } : {}),
    lastModifiedTime: modifiedNow(call, before),
  })
}

type ReportHandlers = HandlersOf<'trafficking.reports'> & HandlersOf<'trafficking.files'>

export const reportHandlers: ReportHandlers = {
  ...compatibleFieldHandlers,
  ...reportFileHandlers,

  'trafficking.reports.insert': (call) => {
    const profile = profileOf(call)
    const body = call.body as JsonObject
    const report: JsonObject = { ...body, ownerProfileId: profile.id }
    check(call, profile, report)
    return save(call, {
      ...withDefaults(report),
      kind: 'trafficking#report',
      id: objectsOf(call.service.store).nextId(collection),
      accountId: profile.accountId,
      ...(profile.subaccountId ? { subAccountId: profile.subaccountId } : {}),
      lastModifiedTime: modifiedNow(call),
    })
  },

  'trafficking.reports.get': (call) => viewReport(call, findReport(call, profileOf(call))),

  'trafficking.reports.list': (call) => {
    const profile = profileOf(call)
    const reports = objectsOf(call.service.store)
      .list(collection)
      .filter(
        (report) =>
          report.accountId === profile.accountId &&
          (call.params.scope === 'ALL' || report.ownerProfileId === profile.id),
      )
    return answerReportPage(call, 'trafficking#reportList', reports, viewReport)
  },

  'trafficking.reports.patch': (call) => {
    const profile = profileOf(call)
    const before = findReport(call, profile)
    return changed(call, profile, before, mergePatch<JsonObject>(before, call.body as JsonObject))
  },

  'trafficking.reports.update': (call) => {
    const profile = profileOf(call)
    return changed(call, profile, findReport(call, profile), call.body as JsonObject)
  },

  'trafficking.reports.delete': (call) => {
    const report = findReport(call, profileOf(call))
    settleRuns(call.service)
    if (filesOf(call.service, report.id).some(isRunning))
      throw new Problem(400, 'badRequest', '11081 : The report is running and cannot be deleted.')
    removeFiles(call.service, report.id)
    objectsOf(call.service.store).remove(collection, report.id)
  },

  'trafficking.reports.run': (call) => {
    const profile = profileOf(call)
    const report = findReport(call, profile)
    check(call, profile, report)
    return viewFile(call, startRun(call, report, call.params.synchronous === true))
  },
}
