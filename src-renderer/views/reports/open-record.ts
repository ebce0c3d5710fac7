import { parseRecordKey } from '#shared/domain/collections'
import type { AppContext } from '../../context/context'

/** Shows a record in Campaigns, by its key; `name` is told where it is not on this computer. */
export async function openRecord(
  app: Pick<AppContext, 'replica' | 'navigation' | 'toasts'>,
  record: string,
  name: string,
): Promise<void> {
  const { collection, parent } = parseRecordKey(record)
  // Records of large collections are on the disk.
  const found = await app.replica.read(record).catch(() => undefined)
  if (found?.value) app.navigation.go('campaigns', { kind: collection, profile: parent ?? '', record })
  else
    app.toasts.show(`${name} isn’t downloaded`, {
      action: { label: 'Download…', run: () => app.navigation.go('sync', { download: 'choose' }) },
    })
}
