import { join } from 'node:path'
import type { CustomPublishOptions, UpdateInfo } from 'builder-util-runtime'
import { MacUpdater, NsisUpdater, Provider, type AppUpdater, type ResolvedUpdateFileInfo } from 'electron-updater'
import type { Fetch } from '../http/send'
import { WholeAppImageUpdater } from './app-image'
import { downloadFile, downloadText } from './download'
import { feedName, maxFeed, readFeed, type Update } from './feed'
import type { FeedSource } from './feed-source'

export interface EngineOptions {
  source: FeedSource
  /** Respects offline mode. */
  fetch: Fetch
  version: string
  platform: NodeJS.Platform
  arch: string
  /** For downloads: in the profile. */
  folder: string
  /** On Windows, the packaged file that names the publisher. */
  publisherFile?: string
}

/** Finds, downloads, and installs updates. */
export interface UpdateEngine {
  /** @returns undefined if this version is the newest. @throws FaultError */
  check(): Promise<Update | undefined>
  /** Downloads an update completely or not at all. @throws FaultError */
  download(update: Update): Promise<void>
  /** Forgets a downloaded update. @returns false if the system will install it anyway */
  cancel(): boolean
  /** Call once everything else has ended. @returns false if nothing was ready. @throws if it failed */
  install(startAgain: boolean): boolean
}

/**
 * electron-updater knows how to install on each system. What's installed is decided here: its own feeds aren't signed, follow
 * redirects, and may have any size.
 */
export function openEngine(options: EngineOptions): UpdateEngine {
  const { source, fetch, version, platform, arch, folder } = options
  let found: Update | undefined
  let updater: AppUpdater | undefined
  const feed = new URL(feedName(version, platform, arch), source.folder)

  return {
    check: async () => {
      const bytes = await downloadText(fetch, feed, maxFeed)
      const signature = await downloadText(fetch, new URL(`${feed.href}.sig`), 1_000)
      return readFeed(bytes, signature.toString('ascii'), { ...source, version, platform })
    },
    download: async (update) => {
      found = update
      updater ??= newUpdater(options, () => found!)
      const checked = await updater.checkForUpdates()
      if (!checked?.isUpdateAvailable) throw new Error('This update doesn’t support this system.')
      await updater.downloadUpdate()
    },
    cancel: () => {
      // On macOS, the system already has it.
      if (updater instanceof MacUpdater) return false
      updater = undefined
      return true
    },
    install: (startAgain) => {
      // On macOS, the system installs it after the app has ended.
      if (!updater || updater instanceof MacUpdater) return updater !== undefined
      let failure: unknown
      const onError = (error: unknown): void => void (failure = error)
      updater.once('error', onError)
      const installed = (updater as WholeAppImageUpdater).install(true, startAgain && platform !== 'linux')
      updater.off('error', onError)
      if (failure) throw failure instanceof Error ? failure : new Error('Couldn’t install the update.')
      return installed
    },
  }

  /** The library's updater for this system, with our feed, downloads, and folder. */
  function newUpdater({ publisherFile }: EngineOptions, update: () => Update): AppUpdater {
    const adapter = {
      ...{ version, name: 'updates', isPackaged: true, userDataPath: folder, baseCachePath: folder },
      appUpdateConfigPath: publisherFile ?? join(folder, 'none.yml'),
      whenReady: () => Promise.resolve(),
      ...{ relaunch: () => undefined, quit: () => undefined, onQuit: () => undefined },
    }
    const system = { linux: WholeAppImageUpdater, win32: NsisUpdater, darwin: MacUpdater }[platform as 'linux']
    const created = new system(null, adapter)
    created.logger = null
    created.autoDownload = false
    created.autoInstallOnAppQuit = platform === 'darwin'
    created.disableDifferentialDownload = true
    const parts = created as unknown as { httpExecutor: object; configOnDisk: object; stagingUserIdPromise: object }
    parts.httpExecutor = {
      download: (url: URL, path: string) => downloadFile(fetch, url, path, update().file).then(() => path),
    }
    if (platform !== 'win32') parts.configOnDisk = { value: Promise.resolve({ updaterCacheDirName: 'download' }) }
    // The library would store an ID to roll updates out bit by bit.
    parts.stagingUserIdPromise = { value: Promise.resolve('') }
    class FoundUpdate extends Provider<UpdateInfo> {
      getLatestVersion(): Promise<UpdateInfo> {
        const { version: next, file, notes } = update()
        const files = [{ url: file.name, sha512: file.sha512, size: file.size }]
        const rest = { path: file.name, sha512: file.sha512, releaseDate: '', releaseNotes: notes }
        return Promise.resolve({ version: next, files, ...rest })
      }
      resolveFiles(info: UpdateInfo): ResolvedUpdateFileInfo[] {
        return [{ url: update().file.url, info: info.files[0]! }]
      }
    }
    created.setFeedURL({ provider: 'custom', updateProvider: FoundUpdate as never } satisfies CustomPublishOptions)
    return created
  }
}
