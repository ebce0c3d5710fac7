import { monthNames, parseDay, weekdayIndex } from '../../ui/dates'

export interface AddLine {
  title: string
  /** The day read from the end of the line, and the words it was read from. */
  due: number | null
  words: string
}

const oneWord =
  /^(today|tomorrow|mon(day)?|tue(sday)?|wed(nesday)?|thu(rsday)?|fri(day)?|sat(urday)?|sun(day)?|\d{4}-\d{1,2}-\d{1,2}|\d{1,2}\.\d{1,2}\.(\d{4})?|\+\d{1,3}[dw])$/i

/** What a date of several words may begin with. */
const begins = (word: string): boolean =>
  /^\d{1,2}(st|nd|rd|th)?$/i.test(word) ||
  word.toLowerCase() === 'in' ||
  weekdayIndex(word.toLowerCase()) !== undefined ||
  monthNames.some((name) => [name.toLowerCase(), name.slice(0, 3).toLowerCase()].includes(word.toLowerCase()))

/** Reads `Book hotel fri 14 aug`: a date at the end becomes the due day. Bare numbers and months stay words. */
export function readLine(line: string, today: number): AddLine {
  const words = line.trim().split(/\s+/)
  for (const count of [4, 3, 2, 1]) {
    if (words.length <= count) continue
    const tail = words.slice(-count).join(' ')
    if (count === 1 ? !oneWord.test(tail) : !/[a-z]/i.test(tail) || !begins(words.at(-count)!)) continue
    const due = parseDay(tail, today)
    if (due === null) continue
    const head = words.slice(0, -count)
    if (head.length > 1 && /^(by|due|on)$/i.test(head.at(-1)!)) head.pop()
    return { title: head.join(' '), due, words: tail }
  }
  return { title: line.trim(), due: null, words: '' }
}
