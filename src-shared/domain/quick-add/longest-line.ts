import { services } from '#shared/wire/services'

/** Characters of a line that are read: room for a title as long as a task's may be, and as much again that says when and where. */
export const longestLine = 2 * services.tasks.schemas['Task']!.fields['title']!.maxLength!

/** Why a line is not read, undefined where it is: the time that takes grows faster than the line. */
export const tooLongToRead = ({ length }: string): string | undefined =>
  length > longestLine
    ? `A line can have up to ${longestLine.toLocaleString('en')} characters, and this one has ${length.toLocaleString('en')}. Shorten it, and keep the rest for the notes`
    : undefined
