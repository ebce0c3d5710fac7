import { sentenceCase } from '#shared/fields/heads'
import type { Collection } from '#shared/facts/collection'

export const titleOfKind = ({ words }: Pick<Collection, 'words'>): string => sentenceCase(words.many)

/** The group of a kind in the list of all kinds. */
export const groupOfKind = ({ sheet, pull }: Collection): string =>
  sheet.place !== undefined ? 'Campaigns' : pull?.when === 'log' ? 'History' : 'Other'
