import { linkText, type Link } from '#shared/links/link'
import { copyText } from './copy-text'
import type { AppContext } from './context'

/** Copies the address of a record, view, or date, and says so. */
export async function copyLink(app: Pick<AppContext, 'toasts' | 'announce'>, link: Link): Promise<void> {
  const text = linkText(link)
  if (text === undefined) {
    app.toasts.show('This is only on this computer so far, so a link would lead nowhere. Copy it once it’s synced.')
    return
  }
  const copied = await copyText(app, text, { what: 'the link', instead: `Copy it here: ${text}` })
  if (!copied) return
  app.announce('Link copied')
  app.toasts.show('Link copied')
}
