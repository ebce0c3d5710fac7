import { parseRecordKey } from '#shared/domain/collections'
import type { AppContext } from '../../context/context'

/** Shows a record in Campaigns. If it isn't downloaded, shows a message with `name`. */
export async function openRecord(
  app: Pick<AppContext, 'replica' | 'navigation' | 'toasts'>,
  record: string,
  name: string,
): Promise<void> {
  const { collection, parent } = parseRecordKey(record)
  // Records of large collections are on disk only.
  const found = await app.replica.read(record).catch(() => undefined)
  if (found?.value) app.navigation.go('campaigns', { kind: collection, profile: parent ?? '', record })
  else
    app.toasts.show(`“${name}” isn’t downloaded`, {
      action: { label: 'Download…', run: () => app.navigation.go('sync', { download: 'choose' }) },
    })
}
