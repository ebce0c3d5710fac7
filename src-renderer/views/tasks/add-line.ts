import { readTaskLine, type TaskContext, type TaskLine } from '#shared/domain/quick-add/task-line'

export type AddLine = TaskLine

/** A line for a new task; `asWords`: the person wants to keep its words as they are. */
export function readLine(line: string, context: TaskContext, asWords = false): AddLine {
  return asWords ? { title: line.trim(), due: null, words: '', problem: null } : readTaskLine(line, context)
}

/** The lines of a text that is pasted, without marks of a list before them. */
export const pastedLines = (text: string): string[] =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => line.replace(/^\s*(?:[-*•–]|\[[ x]?\]|\d{1,3}[.)])\s+/i, '').trim())
    .filter((line) => line !== '')
