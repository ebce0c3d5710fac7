import { faultOf } from '#shared/fault'
import type { DownloadChoice } from '../replica/api'
import type { AppContext } from './context'

/** Starts downloads and says so. @param what such as `3 campaigns` */
export async function startDownloads(
  { replica, announce, toasts }: Pick<AppContext, 'replica' | 'announce' | 'toasts'>,
  choices: readonly DownloadChoice[],
  what: string,
): Promise<void> {
  const text = `Downloading ${what}`
  try {
    for (const choice of choices) await replica.download(choice)
    announce(text)
    toasts.show(text)
  } catch (error) {
    toasts.show(`Couldn’t start every download. ${faultOf(error).message}`, { level: 'error' })
  }
}
