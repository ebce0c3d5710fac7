import { parse } from 'node:path'
import type { batchQuestions } from '#shared/search-ads/batch-questions'
import type { Handlers } from '../ipc/handle'
import { recordsOf } from '../reports/batch-text'
import type { ConversionBatches } from '../reports/conversion-batches'
import type { UntrustedFiles } from '../reports/untrusted-files'
import type { ConversionUploads } from '../reports/conversion-uploads'
import { chooseFile, type FilePlaces } from './files'

export interface BatchDeps {
  batches: ConversionBatches
  sendings: ConversionUploads
  files: FilePlaces
  untrustedFiles: UntrustedFiles
}

/** Handlers for conversions pasted or imported as rows. */
export function conversionBatchHandlers({
  batches,
  sendings,
  files,
  untrustedFiles,
}: BatchDeps): Pick<Handlers, keyof typeof batchQuestions> {
  return {
    'search/batches': async ({ accountId }) => ({ batches: await batches.list(accountId) }),
    'search/read-rows': async ({ accountId, kind, place, text }) => {
      if (text !== undefined)
        return batches.add(accountId, await recordsOf([Buffer.from(text)]), { name: 'Pasted rows', kind, place })
      const file = await chooseFile(files, 'Rows', ['csv', 'tsv', 'txt', 'xlsx'])
      return (
        file &&
        batches.add(accountId, await untrustedFiles.rows(file.path), { name: parse(file.name).name, kind, place })
      )
    },
    'search/batch': ({ accountId, batchId }) => batches.read(accountId, batchId),
    'search/change-batch': ({ accountId, batchId, kind, activity }) =>
      batches.change(accountId, batchId, { kind, activity }),
    'search/change-row': ({ accountId, batchId, row, cells }) => batches.changeRow(accountId, batchId, row, cells),
    'search/leave-out': ({ accountId, batchId, rows, out }) => batches.leaveOut(accountId, batchId, rows, out),
    'search/remove-batch': ({ accountId, batchId }) => batches.remove(accountId, batchId),
    'search/send-rows': ({ accountId, batchId, rows }) =>
      sendings.sendRows(accountId, batchId, new Map(rows.map(({ row, body }) => [row, body]))),
    'search/stop-rows': ({ accountId, batchId }) => sendings.stopRows(accountId, batchId),
  }
}
