import type { Collection } from '#shared/facts/collection'
import { sentenceCase } from '../../context/record-words'

export const titleOfKind = ({ words }: Pick<Collection, 'words'>): string => sentenceCase(words.many)
