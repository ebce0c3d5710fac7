import { createHash } from 'node:crypto'
import { conditionNotMet } from './problems'

/** The etag of a version stamp in microseconds: digits, twice the stamp, in double quotes (as the header has them). */
export const stampEtag = (stamp: number): string => `"${stamp * 2}"`

/** Etag of a response without a version, such as a list. */
export const contentEtag = (content: unknown): string =>
  `"${createHash('sha1').update(JSON.stringify(content)).digest('base64url')}"`

/** The etag of a list, derived from its fields and the versions of its entries. */
export function listEtag(list: { items?: ReadonlyArray<{ etag?: string }> }): string {
  return contentEtag({ ...list, items: list.items?.map((item) => item.etag) })
}

/** True if a header's list of etags (or `*`) contains this one. Weak and strong forms are equal. */
export function namesEtag(header: string, etag: string): boolean {
  const bare = (text: string): string => text.trim().replace(/^W\//, '').replace(/^"|"$/g, '')
  return header.split(',').some((entry) => entry.trim() === '*' || bare(entry) === bare(etag))
}

/** @throws Problem 412 if `If-Match` is present and names another version */
export function requireMatch(ifMatch: string | undefined, etag: string): void {
  if (ifMatch !== undefined && !namesEtag(ifMatch, etag)) throw conditionNotMet()
}
