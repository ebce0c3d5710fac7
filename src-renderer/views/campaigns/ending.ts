import { isLocalId } from '#shared/domain/collections'
import type { CampaignsModel } from './model.svelte'
import { aboutWords, readAll } from './records'

/** Deletes records, or archives those that cannot be deleted. */
export async function end(model: CampaignsModel, keys: readonly string[]): Promise<void> {
  const { app } = model
  const factsOf = app.replica.facts.of
  const ending = [...(await readAll(app.replica, keys)).values()].filter(
    ({ collection }) => factsOf(collection).ends !== 'never',
  )
  const [first] = ending
  if (!first) {
    app.announce('These cannot be deleted')
    return
  }
  const archives = factsOf(first.collection).ends === 'archive' && ending.some(({ id }) => !isLocalId(id))
  await app.edit(
    ending.map(({ key }) => ({ kind: 'delete', key })),
    { label: `${archives ? 'Archive' : 'Delete'} ${aboutWords(model, ending)}` },
    { show: true },
  )
}

export async function unarchive(model: CampaignsModel, keys: readonly string[]): Promise<void> {
  const all = await readAll(model.app.replica, keys)
  const archived = [...all.values()].filter(({ value }) => value?.['archived'] === true)
  if (archived.length === 0) return
  await model.app.edit(
    archived.map(({ key }) => ({ kind: 'change', key, patch: { archived: false } })),
    { label: `Take ${aboutWords(model, archived)} out of the archive` },
    { show: true },
  )
}
