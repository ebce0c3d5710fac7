import type { Collection } from '#shared/facts/collection'
import { sentenceCase } from '../../context/record-words'

export const titleOfKind = ({ words }: Pick<Collection, 'words'>): string => sentenceCase(words.many)

/** The group of a kind in the list of all kinds. */
export const groupOfKind = ({ sheet, pull }: Collection): string =>
  sheet.place !== undefined ? 'Campaigns' : pull?.when === 'log' ? 'History' : 'Other'
