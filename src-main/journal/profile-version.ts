import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import gt from 'semver/functions/gt'
import valid from 'semver/functions/valid'

/** File in the profile with the version that opened it last. */
export const versionFile = (userData: string): string => join(userData, 'version.json')

/**
 * The version that opened the profile last, if it's newer than this one. Read at once, because it decides whether anything of
 * the profile may be opened.
 */
export function newerVersionOf(userData: string, version: string): string | undefined {
  let last: unknown
  try {
    last = (JSON.parse(readFileSync(versionFile(userData), 'utf8')) as { version?: unknown }).version
  } catch {
    // A profile without a readable version is from this one or an older one.
    return undefined
  }
  const [theirs, ours] = [typeof last === 'string' ? valid(last) : null, valid(version)]
  return theirs !== null && ours !== null && gt(theirs, ours) ? theirs : undefined
}
