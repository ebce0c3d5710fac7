import { sentenceCase } from '#shared/fields/heads'
import { isLocalId } from '#shared/domain/collections'
import { plainLabel } from '../../ui/plain-label'
import { editMany, longWork } from './bulk'
import type { CampaignsModel } from './model.svelte'
import { aboutWords, readAll } from './records'

/** Deletes records, or archives those that can't be deleted. */
export async function end(model: CampaignsModel, keys: readonly string[]): Promise<void> {
  const { app } = model
  const factsOf = app.replica.facts.of
  const read = await longWork(model, 'Loading', (work) => app.replica.inTurn(() => readAll(app.replica, keys, work)))
  if (!read) return
  const ending = [...read.values()].filter(
    ({ collection, id }) => factsOf(collection).ends !== 'never' || isLocalId(id),
  )
  const [first] = ending
  if (!first) {
    const [one] = read.values()
    if (one) app.toasts.show(`${sentenceCase(factsOf(one.collection).words.many)} can’t be deleted`, { level: 'error' })
    return
  }
  const archives = factsOf(first.collection).ends === 'archive' && ending.some(({ id }) => !isLocalId(id))
  const changes = ending.map(({ key }) => ({ kind: 'delete', key }) as const)
  const about = aboutWords(model, ending)
  const label = `${archives ? 'Archive' : 'Delete'} ${about}`
  const text = `${archives ? 'Archived' : 'Deleted'} ${plainLabel(about)}`
  await editMany(model, archives ? 'Archiving' : 'Deleting', changes, { label }, { text, show: true })
}

export async function unarchive(model: CampaignsModel, keys: readonly string[]): Promise<void> {
  const all = await longWork(model, 'Loading', (work) =>
    model.app.replica.inTurn(() => readAll(model.app.replica, keys, work)),
  )
  if (!all) return
  const archived = [...all.values()].filter(({ value }) => value?.['archived'] === true)
  if (archived.length === 0) return
  const changes = archived.map(({ key }) => ({ kind: 'change', key, patch: { archived: false } }) as const)
  const about = aboutWords(model, archived)
  const text = `Unarchived ${plainLabel(about)}`
  await editMany(model, 'Unarchiving', changes, { label: `Unarchive ${about}` }, { text, show: true })
}
