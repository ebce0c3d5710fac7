import { faultOf } from '#shared/fault'
import { maxDroppedSheet } from '#shared/ipc/sheet-questions'
import { listWords } from '#shared/list-words'
import { ask } from '../../bridge'
import { counted } from '../../ui/counted'
import { editMany } from './bulk'
import type { CampaignsModel } from './model.svelte'
import { plain } from './records'
import type { SheetPlan } from './sheet-plan'
import { fileSource, type SheetSource } from './sheet-source'
import { changedRecords } from './writing'

/** Largest file to drop, in words. */
const dropLimit = '50 MB'

/** Asks for a spreadsheet, or reads one that was dropped. Undefined if there's none, after a message says why. */
export async function openSheet({ app }: Pick<CampaignsModel, 'app'>, file?: File): Promise<SheetSource | undefined> {
  if (file && file.size > maxDroppedSheet) {
    const text = `“${file.name}” is larger than ${dropLimit}. Choose “Import a spreadsheet…” instead.`
    return void app.toasts.show(text, { level: 'error' })
  }
  try {
    const opened = file
      ? await ask(app.bridge, 'sheet/dropped', { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })
      : await ask(app.bridge, 'sheet/open', {})
    return opened ? fileSource(app.bridge, opened) : undefined
  } catch (error) {
    const { code, message } = faultOf(error)
    if (code !== 'aborted') app.toasts.show(`Couldn’t read the file. ${message}`, { level: 'error' })
    return undefined
  }
}

/** Saves what a sheet changes as drafts, in one undo step. Returns false if nothing was saved. */
export async function importSheet(
  model: CampaignsModel,
  { creations, changes, heads }: Pick<SheetPlan, 'creations' | 'changes' | 'heads'>,
  { name, creates }: { name: string | undefined; creates: boolean },
): Promise<boolean> {
  const { one, many } = model.kind.words
  const made = creates ? creations : []
  const all = [...made, ...changes]
  if (all.length === 0) return false
  const fields = heads.size > 2 ? `${heads.size} fields` : listWords([...heads])
  const about = changes.length > 0 && fields !== '' ? `: ${fields}` : ''
  const label = `Import ${name === undefined ? '' : `*${plain(name)}* into `}${counted(all.length, one, many)}${about}`
  const done = await editMany(model, 'Importing', all, { label }, { show: false })
  if (!done) return false
  const skipped = done.left.length
  const parts = [
    ...(changes.length > 0 ? [`${counted(changedRecords(changes, done.left), one, many)} changed`] : []),
    ...(made.length > 0
      ? [`${changes.length > 0 ? made.length.toLocaleString('en') : counted(made.length, one, many)} created`]
      : []),
    ...(skipped > 0
      ? [`${counted(skipped, 'cell')} skipped because someone else changed ${skipped === 1 ? 'it' : 'them'}`]
      : []),
  ]
  const text = parts.join(', ')
  model.app.announce(text)
  model.app.toasts.show(text, {
    survivesAccountSwitch: true,
    action: { label: 'Undo', run: () => void model.app.undo(done.group) },
  })
  return true
}
