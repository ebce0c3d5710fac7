import type { QuickAddItem, QuickAddOffer } from '#shared/ipc/desktop-questions'
import { services } from '#shared/wire/services'
import { pastedLines } from '../../views/tasks/add-line'
import { readItem, type LineReading } from '../quick-add/quick-add-reading'

/** What becomes of a line. */
export type LineKind = QuickAddItem['kind'] | 'none'

export interface TextLine {
  text: string
  event: LineReading
  task: LineReading
  /** The choice to begin with: an event if the line has a time or a day, else a task. */
  kind: LineKind
}

/** More is probably a mistake, and too much to check. */
export const maxLines = 200
const maxCharacters = 64 * 1024
const maxTitle = services.tasks.schemas['Task']!.fields['title']!.maxLength!

/** Reads each line of a text, without marks of a list. @returns a sentence if there are too many, or none */
export function readLines(text: string, offer: QuickAddOffer, now: number): TextLine[] | string {
  if (text.length > maxCharacters) return tooMuch
  const lines = pastedLines(text)
  if (lines.length > maxLines) return tooMuch
  return lines.map((line) => readLine(line, offer, now))
}

const tooMuch = `This text is too long. Add up to ${maxLines} lines at once.`

function readLine(text: string, offer: QuickAddOffer, now: number): TextLine {
  const event = readItem(text, 'event', offer, now)
  const asTask = fitting(readItem(text, 'task', offer, now))
  const kind = event.item ? 'event' : asTask.item ? 'task' : 'none'
  return { text, event, task: asTask.item ? asTask : keptAsText(text, asTask, offer), kind }
}

function fitting(read: LineReading): LineReading {
  const isLong = read.item?.kind === 'task' && read.item.title.length > maxTitle
  return isLong ? { item: null, words: `A title can have up to ${maxTitle} characters. Shorten the line` } : read
}

/** A line that can’t be read as a task may still be its title, if the user says so. */
function keptAsText(text: string, read: LineReading, { lists: [list] }: QuickAddOffer): LineReading {
  if (!list || text.length > maxTitle) return read
  return {
    item: { kind: 'task', list: list.id, title: text, due: null },
    words: `${text} · without a date · ${list.name}`,
  }
}

/** The items to add, in their order, with what was chosen for each line. */
export const itemsOf = (lines: readonly TextLine[], kinds: readonly LineKind[]): QuickAddItem[] =>
  lines.flatMap((line, at) => {
    const kind = kinds[at] ?? line.kind
    return kind === 'none' ? [] : (line[kind].item ?? [])
  })
