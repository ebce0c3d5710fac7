import { z } from 'zod'
import { parseRecordKey } from '#shared/domain/collections'
import { readStoredList, writeStored } from '../../context/account-storage'
import { sentence } from '../../context/account-words'
import type { AppContext } from '../../context/context'
import { copyText } from '../../context/copy-text'
import { outermost } from '../../context/record-names'
import { counted } from '../../ui/counted'
import type { Toast } from '../../ui/toasts.svelte'
import type { CampaignsModel } from './model.svelte'
import { gone } from './parse-cell'

/** Typed or chosen input that couldn't be saved. */
export interface FailedEdit {
  key: string
  /** Names of the field and the record, for use in a sentence. */
  head: string
  title: string
  text: string
  why: string
  /** Action that retries the edit. Without one, the record can be opened, or its text copied if the record is gone. */
  again?: { label: string; run: () => Promise<unknown> }
}

/** Maximum number of typed characters in a message. Longer text can be copied from it. */
const maxShown = 400

function shown(text: string): string {
  if (text === '') return 'an empty value'
  if (text.length <= maxShown) return `“${text}”`
  return `“${text.slice(0, maxShown)}…” (${text.length.toLocaleString('en')} characters)`
}
/** The reason if none is known. */
export const unsaved = 'Something went wrong'

/** Says what failed and why. The retry is on the button. */
function sentenceOf({ head, title, text, why }: FailedEdit): string {
  const copy = text === '' ? '' : ' Your text is in this message.'
  return `Couldn’t save ${shown(text)} as the ${head} of ${title}. ${sentence(why)}${copy}`
}

/**
 * Shows a failed edit in a message that stays until it's dismissed. Stores it until then, too, because messages are
 * lost when the window closes.
 */
export function showFailedEdit({ app }: Pick<CampaignsModel, 'app'>, what: FailedEdit): void {
  const { collection, parent } = parseRecordKey(what.key)
  const profile = outermost(parent)
  const { again } = what
  const text = sentenceOf(what)
  const isCopied = what.text.length > maxShown || what.why === gone
  let trying: Promise<unknown> = Promise.resolve()
  const action: Toast['action'] = again
    ? { label: again.label, run: () => void (trying = again.run()) }
    : isCopied
      ? { label: 'Copy text', run: () => void copy(app, what.text), stays: true }
      : {
          label: 'Open record',
          run: () =>
            app.navigation.go('campaigns', {
              kind: collection,
              ...(profile !== null && { profile }),
              record: what.key,
            }),
          stays: true,
        }
  const kept = keepFailedEdit({ app }, what)
  app.toasts.show(text, {
    level: 'error',
    // If storage failed, the message has the only copy of the text, so it survives a switch of accounts.
    survivesAccountSwitch: !kept,
    // Keep the input until the retry ends, because the retry may fail, too.
    ongone: () => void trying.finally(() => isDisplayed(app, text) || forget(app, what)),
    // A record of another account can't be opened.
    ...((kept || again || isCopied) && { action }),
  })
}

async function copy(app: AppContext, text: string): Promise<void> {
  if (await copyText(app, text, { what: 'the text', instead: 'The text is still in the message.' }))
    app.announce(`${counted(text.length, 'character')} copied`)
}

const isDisplayed = ({ toasts }: AppContext, text: string): boolean => toasts.list.some((one) => one.text === text)

/** Stores a failed edit for the next start, as a closing window can’t show it. @returns false if storage is full */
export function keepFailedEdit(
  { app }: Pick<CampaignsModel, 'app'>,
  { key, head, title, text, why }: FailedEdit,
): boolean {
  const what = { key, head, title, text, why }
  return store(app, [...without(app, what), what])
}

/** Shows stored failed edits that aren't shown yet. */
export function showStoredEdits(app: AppContext): void {
  for (const what of readKept(app)) if (!isDisplayed(app, sentenceOf(what))) showFailedEdit({ app }, what)
}

const forget = (app: AppContext, what: FailedEdit): boolean => store(app, without(app, what))
const without = (app: AppContext, what: FailedEdit): FailedEdit[] =>
  readKept(app).filter((one) => one.key !== what.key || one.text !== what.text || sentenceOf(one) !== sentenceOf(what))
/** If storage is full, only the message has the text. */
const store = ({ account }: AppContext, kept: readonly FailedEdit[]): boolean =>
  writeStored(localStorage, 'unwritten', account.id, kept)

const readKept = ({ account }: AppContext): FailedEdit[] =>
  readStoredList(localStorage, 'unwritten', account.id, unwritten)

const unwritten = z.object({ key: z.string(), head: z.string(), title: z.string(), text: z.string(), why: z.string() })
