import { collections, type CollectionName } from '../domain/collections'
import { eventField } from '../facts/event-fields'
import { headOf, insideSentence } from './heads'

/** Names of other fields than those of events, which are in `eventFields`, some only in one collection. */
const fieldWords: Readonly<Record<string, string>> = {
  'calendars.summary': 'Name',
  'tasklists.title': 'Name',
  summaryOverride: 'Name',
  title: 'Title',
  backgroundColor: 'Color',
  foregroundColor: 'Text color',
  timeZone: 'Time zone',
}

/**
 * Label of a field: `guestsCanModify` becomes `Guests can modify` unless a better name is known.
 * @param of the collection, whose sheet may define its own name
 */
export const fieldName = (field: string, of?: CollectionName): string =>
  (of && collections[of].sheet.columns.find(({ path }) => path === field)?.label) ??
  fieldWords[`${of}.${field}`] ??
  eventField(field)?.words ??
  eventField(field)?.control?.label ??
  fieldWords[field] ??
  headOf(field)

/** `time`, `title`: inside a sentence. Acronyms keep their capitals. */
export const fieldNameInside = (field: string, of?: CollectionName): string =>
  field === 'start' ? 'time' : insideSentence(fieldName(field, of))
