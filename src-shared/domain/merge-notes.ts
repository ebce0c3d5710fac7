import { mergeWords } from '../merge/merge-text'
import { extrasLine, readNotes, writeNotes, type TaskExtras } from './task-notes'
import { tagKey, uniqueTags } from './task-tags'

/**
 * Merges two edits of a task's notes: the text word by word, and the marker line value by value. Undefined if both changed the
 * same part differently.
 */
export function mergeNotes(base: string, mine: string, theirs: string): string | undefined {
  const [before, here, there] = [base, mine, theirs].map(readNotes) as [Notes, Notes, Notes]
  const text = mergeWords(before.text.trimEnd(), here.text.trimEnd(), there.text.trimEnd())
  const extras: TaskExtras = {}
  const take = <Name extends 'repeat' | 'time' | 'important'>(name: Name): boolean => {
    const picked = pick(before.extras[name], here.extras[name], there.extras[name])
    if (picked !== undefined && picked !== conflict) extras[name] = picked
    return picked !== conflict
  }
  if (text === undefined || ![take('repeat'), take('time'), take('important')].every(Boolean)) return undefined
  const tags = mergeTags(before.extras.tags ?? [], here.extras.tags ?? [], there.extras.tags ?? [])
  return writeNotes({ text, extras: { ...extras, ...(tags.length > 0 && { tags }) } })
}

/** Combines two notes. If their times or rules differ, those of `first` stay, and the others become text. */
export function joinNotes(first: string, second: string): string {
  const [one, two] = [readNotes(first), readNotes(second)]
  const known = new Set(one.text.split('\n').map((line) => line.trim()))
  const lines = two.text.split('\n').filter((line) => line.trim() !== '' && !known.has(line.trim()))
  const { time, repeat } = two.extras
  const left: TaskExtras = {
    ...(time !== undefined && one.extras.time !== undefined && time !== one.extras.time && { time }),
    ...(repeat && one.extras.repeat && JSON.stringify(repeat) !== JSON.stringify(one.extras.repeat) && { repeat }),
  }
  const also = extrasLine(left)
  const text = [one.text.trimEnd(), ...lines, ...(also === '' ? [] : [`Also ${also}`])]
    .filter((line) => line !== '')
    .join('\n')
  const tags = uniqueTags([...(one.extras.tags ?? []), ...(two.extras.tags ?? [])])
  return writeNotes({ text, extras: { ...two.extras, ...one.extras, ...(tags.length > 0 && { tags }) } })
}

type Notes = ReturnType<typeof readNotes>

const conflict = Symbol('conflict')

function pick<T>(base: T, mine: T, theirs: T): T | typeof conflict {
  const [before, here, there] = [base, mine, theirs].map((value) => JSON.stringify(value))
  if (here === before || here === there) return theirs
  return there === before ? mine : conflict
}

function mergeTags(base: readonly string[], mine: readonly string[], theirs: readonly string[]): string[] {
  const has = (tags: readonly string[], tag: string): boolean => tags.some((other) => tagKey(other) === tagKey(tag))
  const kept = theirs.filter((tag) => has(mine, tag) || !has(base, tag))
  return uniqueTags([...kept, ...mine.filter((tag) => !has(base, tag))])
}
