import { verify } from 'node:crypto'
import { JSON_SCHEMA, load } from 'js-yaml'
import gt from 'semver/functions/gt'
import eq from 'semver/functions/eq'
import prerelease from 'semver/functions/prerelease'
import valid from 'semver/functions/valid'
import { z } from 'zod'
import { FaultError } from '#shared/fault'
import type { FeedSource } from './feed-source'

/** Bytes. Installers have about 100 MB. */
export const maxUpdate = 1_000_000_000
export const maxFeed = 256 * 1024
const maxNotes = 20_000

/** An update that may be downloaded. */
export interface Update {
  version: string
  /** What's new, as plain text. */
  notes: string
  file: { name: string; url: URL; sha512: string; size: number }
}

const feedSchema = z.object({
  version: z.string().max(100),
  files: z
    .array(
      z.object({
        url: z.string().min(1).max(500),
        sha512: z.string().regex(/^[A-Za-z0-9+/]{86}==$/),
        size: z.number().int().positive(),
      }),
    )
    .min(1)
    .max(50),
  releaseNotes: z.string().catch(''),
})

/** Name of a file in the feed's folder. Rejects folders, however they're written. */
const plainName = /^[A-Za-z0-9][A-Za-z0-9 ._+-]{0,199}$/

/** Extensions of what each system can install. */
const extensions: Partial<Record<NodeJS.Platform, string>> = { linux: '.AppImage', win32: '.exe', darwin: '.zip' }

/** Name of the feed of a version's channel, as electron-builder writes it. */
export function feedName(version: string, platform: NodeJS.Platform, arch: string): string {
  const system =
    platform === 'darwin' ? '-mac' : platform === 'win32' ? '' : `-linux${arch === 'x64' ? '' : `-${arch}`}`
  return `${channelOf(version)}${system}.yml`
}

/** `latest` for releases, otherwise the name of the pre-release, such as `beta`. */
const channelOf = (version: string): string => String(prerelease(version)?.[0] ?? 'latest')

/**
 * Checks a feed and its signature.
 * @param signature of exactly these bytes, in base64
 * @returns the update, or undefined if this version is the newest
 * @throws FaultError `badAnswer` if anything about it is wrong
 */
export function readFeed(
  bytes: Uint8Array,
  signature: string,
  about: FeedSource & { version: string; platform: NodeJS.Platform },
): Update | undefined {
  const { publicKey, folder, version: own, platform } = about
  if (!verify(null, bytes, publicKey, Buffer.from(signature.trim(), 'base64')))
    throw wrong('The list of updates isn’t signed with this app’s key.')
  const { version, files, releaseNotes } = parsed(bytes)
  if (valid(version) !== version) throw wrong('The list of updates has no valid version.')
  if (channelOf(version) !== channelOf(own))
    throw wrong(`The update server offers version ${version}, which belongs to another channel.`)
  if (eq(version, own)) return undefined
  if (!gt(version, own)) throw wrong(`The update server offers version ${version}, which is older than this one.`)
  const file = files.find(({ url }) => url.endsWith(extensions[platform] ?? ' '))
  if (!file) throw wrong(`The update server has no version ${version} for this system.`)
  if (!plainName.test(file.url)) throw wrong('The update server names a file that isn’t next to its list.')
  if (file.size > maxUpdate) throw wrong('The update is larger than 1 GB.')
  const { sha512, size } = file
  return {
    version,
    notes: releaseNotes.slice(0, maxNotes),
    file: { name: file.url, url: new URL(encodeURIComponent(file.url), folder), sha512, size },
  }
}

function parsed(bytes: Uint8Array): z.output<typeof feedSchema> {
  try {
    return feedSchema.parse(load(Buffer.from(bytes).toString('utf8'), { schema: JSON_SCHEMA }))
  } catch (error) {
    throw wrong('Couldn’t read the list of updates.', error)
  }
}

const wrong = (message: string, cause?: unknown): FaultError =>
  new FaultError({ code: 'badAnswer', message }, { cause })
