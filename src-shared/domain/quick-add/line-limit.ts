import { services } from '#shared/wire/services'

/** Maximum length of a line to parse: room for a task's longest title, and as much again for date and time. */
export const maxLineLength = 2 * services.tasks.schemas['Task']!.fields['title']!.maxLength!

/** Why a line is too long to parse. Undefined if it isn't. Parsing time grows faster than the length. */
export const tooLongToRead = ({ length }: string): string | undefined =>
  length > maxLineLength
    ? `A line can have up to ${maxLineLength.toLocaleString('en')} characters, and this one has ${length.toLocaleString('en')}. Shorten it, and keep the rest for the notes`
    : undefined
