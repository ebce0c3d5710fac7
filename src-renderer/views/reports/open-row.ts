import { recordKey } from '#shared/domain/collections'
import { faultOf } from '#shared/fault'
import type { ColumnAbout } from '#shared/results/result-columns'
import type { AppContext } from '../../context/context'
import { recordOf, type Named } from './joins'
import type { ListedReport } from './model.svelte'
import { openRecord } from './open-record'
import { mappedRecord, mappingRow } from './search-ads/mapped-record'

/** Shows the record of a cell in Campaigns. `report` is undefined for a file that the user opened. */
export async function openRow(
  app: AppContext,
  report: Pick<ListedReport, 'service' | 'profile'> | undefined,
  columns: readonly ColumnAbout[],
  cells: readonly string[],
  column: number,
): Promise<void> {
  const { service = 'trafficking', profile = '' } = report ?? {}
  const found = recordOf(app.replica.facts, service, columns, cells, column)
  const head = columns[column]?.head ?? ''
  if (!found) return void app.toasts.show(`Nothing to open for ${head}`)
  try {
    // The services share IDs only in the sandbox. Elsewhere, ID mapping translates them.
    const mapped = service === 'search' && app.account.kind !== 'sandbox'
    const key = mapped ? await mappedKey(app, found) : await keyIn(app, profile, found)
    await openRecord(app, key, cells[column] || head)
  } catch (error) {
    app.toasts.show(faultOf(error).message, { level: 'error' })
  }
}

/** Key in the report's profile, or in the first profile that has the record. */
async function keyIn({ replica }: AppContext, profile: string, { collection, id }: Named): Promise<string> {
  if (profile !== '') return recordKey(collection, profile, id)
  const keys = replica.rows('userProfiles').map((one) => recordKey(collection, one.id, id))
  const there = await replica.readAll(keys)
  return keys.find((key) => there.get(key)?.value) ?? recordKey(collection, '', id)
}

async function mappedKey(app: AppContext, found: Named): Promise<string> {
  const row = await mappingRow(app, found)
  const record = row && mappedRecord(app.replica, row.heads, row.cells)
  return record?.key ?? recordKey(found.collection, '', found.id)
}
