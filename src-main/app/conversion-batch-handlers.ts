import { parse } from 'node:path'
import type { CheckedArguments } from '#shared/ipc/contract'
import type { BatchAnswers, batchQuestions } from '#shared/search-ads/batch-questions'
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

type BatchQuestion = keyof typeof batchQuestions
export type BatchHandlers = { [N in BatchQuestion]: (args: CheckedArguments<N>) => Promise<BatchAnswers[N]> }

/** Handlers for conversions pasted or imported as rows. */
export function conversionBatchHandlers({ batches, sendings, files, untrustedFiles }: BatchDeps): BatchHandlers {
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
    'search/change-batch': async ({ accountId, batchId, kind, activity }) => {
      await batches.change(accountId, batchId, { kind, activity })
      return null
    },
    'search/change-row': async ({ accountId, batchId, row, cells }) => {
      await batches.changeRow(accountId, batchId, row, cells)
      return null
    },
    'search/leave-out': async ({ accountId, batchId, rows, out }) => {
      await batches.leaveOut(accountId, batchId, rows, out)
      return null
    },
    'search/remove-batch': async ({ accountId, batchId }) => {
      await batches.remove(accountId, batchId)
      return null
    },
    'search/send-rows': ({ accountId, batchId, rows }) =>
      sendings.sendRows(accountId, batchId, new Map(rows.map(({ row, body }) => [row, body]))),
    'search/stop-rows': async ({ accountId, batchId }) => {
      await sendings.stopRows(accountId, batchId)
      return null
    },
  }
}
