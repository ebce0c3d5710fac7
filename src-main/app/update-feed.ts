import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { UpdateState } from '#shared/ipc/update-questions'
import { builtInFeed, feedSource, type FeedSource } from '../updates/feed-source'

/** Source of updates for this copy of the app, and the reason why it may not install them. */
export interface Feed {
  source: FeedSource
  updatable: NonNullable<UpdateState['source']>
}

/**
 * The update server that was built in. In development, FLIGHTPLAN_UPDATE_FEED and FLIGHTPLAN_UPDATE_PUBLIC_KEY name one.
 * @param about `built`: the folder of the built scripts
 */
export async function feedOf(about: {
  packaged: boolean
  built: string
  platform: NodeJS.Platform
  environment: Readonly<Record<string, string | undefined>>
}): Promise<Feed | undefined> {
  const { packaged, platform, environment } = about
  const source = packaged ? await builtInFeed(join(about.built, 'update-feed.json')) : await feedFrom(environment)
  if (!source) return undefined
  const installed = platform === 'linux' ? environment['APPIMAGE'] !== undefined : packaged
  return { source, updatable: installed ? 'feed' : packaged ? 'package' : 'source' }
}

async function feedFrom(environment: Readonly<Record<string, string | undefined>>): Promise<FeedSource | undefined> {
  const { FLIGHTPLAN_UPDATE_FEED: url, FLIGHTPLAN_UPDATE_PUBLIC_KEY: key } = environment
  return url && key ? feedSource(url, await readFile(key, 'utf8')) : undefined
}
