import { readTaskLine, type TaskContext, type TaskLine } from '#shared/domain/quick-add/task-line'

export type AddLine = TaskLine

/** Parses a line for a new task. With `asWords`, keeps its text unchanged. */
export function readLine(line: string, context: TaskContext, asWords = false): AddLine {
  return asWords ? { title: line.trim(), due: null, words: '', problem: null } : readTaskLine(line, context)
}

/** Maximum size of a paste, because each line becomes a separate task and request. */
const maxPasted = { lines: 500, characters: 64 * 1024 } as const

/** Why too many lines were pasted to create tasks at once. Undefined if they're fine. */
export function tooManyPasted(lines: readonly string[]): string | undefined {
  const characters = lines.reduce((sum, { length }) => sum + length, 0)
  const words = (one: { lines: number; characters: number }): string =>
    `${one.lines.toLocaleString('en')} lines with ${one.characters.toLocaleString('en')} characters`
  return lines.length > maxPasted.lines || characters > maxPasted.characters
    ? `Couldn’t add the tasks. You can paste up to ${words(maxPasted)} at once, and this text has ${words({ lines: lines.length, characters })}. Paste it in parts.`
    : undefined
}

/** The lines of a text that is pasted, without marks of a list before them. */
export const pastedLines = (text: string): string[] =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => line.replace(/^\s*(?:[-*•–]|\[[ x]?\]|\d{1,3}[.)])\s+/i, '').trim())
    .filter((line) => line !== '')
