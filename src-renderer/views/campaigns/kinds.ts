import type { Collection } from '#shared/facts/collection'
import { sentenceCase } from '../../context/record-words'

export const titleOfKind = ({ words }: Pick<Collection, 'words'>): string => sentenceCase(words.many)

/** Under which head a kind stands in a list of all of them. */
export const groupOfKind = ({ sheet, pull }: Collection): string =>
  sheet.place !== undefined ? 'Campaigns' : pull?.when === 'log' ? 'History' : 'Other'
