import { linkText, type Link } from '#shared/links/link'
import { copyText } from './copy-text'
import type { AppContext } from './context'

/** Copies the address of a record, view, or date, and says so. */
export async function copyLink(app: Pick<AppContext, 'toasts' | 'announce'>, link: Link): Promise<void> {
  const text = linkText(link)
  if (text === undefined) {
    app.toasts.show('Can’t copy a link yet, because this item hasn’t synced. Try again after the next sync.')
    return
  }
  const copied = await copyText(app, text, { what: 'the link', instead: `Copy it here: ${text}` })
  if (!copied) return
  app.announce('Link copied')
  app.toasts.show('Link copied')
}
