import { expect, it } from 'vitest'
import { reportOfStarter, starterNamed } from '#shared/facts/report-starters'
import type { Days } from '../../../src-main/command/arguments'
import { wantedReport } from '../../../src-main/command/wanted-report'
import { serviceForFile } from '../../helpers/for-file'

const service = serviceForFile({ seed: 'demo' })

it.each<[string, string, { days?: Days }]>([
  ['', '', {}],
  [' with other dates', ', Last 7 days', { days: { relativeDateRange: 'LAST_7_DAYS' } }],
])("a report that was made from a template under its former name%s isn't made again", async (_, suffix, asked) => {
  const profileId = service.sandbox.ids['profileId']!
  const wanted = (): ReturnType<typeof wantedReport> =>
    wantedReport(
      { starter: 'daily', ...asked },
      { client: service.client, signal: new AbortController().signal, tell: () => undefined },
    )
  const { report } = await wanted()
  await service.client.call('trafficking.reports.delete', { profileId, reportId: report.id! })
  const { id: _id, ...body } = report
  expect(body.name).toBe(`${reportOfStarter(starterNamed('daily')!)['name'] as string}${suffix}`)
  const former = await service.client.call(
    'trafficking.reports.insert',
    { profileId },
    { body: { ...body, name: `Daily facts${suffix}` } },
  )
  expect((await wanted()).report.id).toBe(former.body.id)
})
