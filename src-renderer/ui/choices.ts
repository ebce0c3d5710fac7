/** A choice of a combobox. */
export interface Choice<T extends string = string> {
  value: T
  label: string
  /** Small, behind the label: an offset, an ID. It is searched, too. */
  aside?: string
  /** Found by these as well. */
  words?: string
  /** Drawn as a dot before the label. */
  color?: string
  /** Heading under which choices are grouped. */
  group?: string
  disabled?: boolean
}

/** Choices in the order of their labels. Keys can't be numbers, because an object would sort them. */
export const choicesOf = <T extends string>(labels: Readonly<Record<T, string>>): Choice<T>[] =>
  Object.entries<string>(labels).map(([value, label]) => ({ value: value as T, label }))

/** Row of the list: a choice, a group heading, or the option to create a choice. */
export type ListRow<T extends string = string> =
  | { kind: 'choice'; choice: Choice<T> }
  | { kind: 'group'; name: string }
  | { kind: 'new'; words: string }

/** Normalizes text for comparison: lowercase, without accents. */
export const plainWords = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[_/−]/gu, (sign) => (sign === '−' ? '-' : ' '))
    .trim()

/**
 * Choices that contain every typed word. Those whose label has them as whole words come first, then those whose label
 * starts with them, then those with a word that does. Otherwise keeps the order. Returns all choices for an empty text.
 */
export function findChoices<T extends string>(choices: readonly Choice<T>[], typed: string): Choice<T>[] {
  const wanted = plainWords(typed).split(/\s+/).filter(Boolean)
  if (wanted.length === 0) return [...choices]
  const ranks: Choice<T>[][] = [[], [], [], []]
  for (const choice of choices) {
    const label = plainWords(choice.label)
    const text = ` ${label} ${plainWords(choice.aside ?? '')} ${plainWords(choice.words ?? '')}`
    if (!wanted.every((word) => text.includes(word))) continue
    const isIn = (text: string, end = ''): boolean => wanted.every((word) => text.includes(` ${word}${end}`))
    const rank = isIn(` ${label} `, ' ') ? 0 : label.startsWith(wanted.join(' ')) ? 1 : isIn(text) ? 2 : 3
    ranks[rank]!.push(choice)
  }
  return ranks.flat()
}

/** Rows of a list: groups in order of first appearance, and the row that creates a choice at the end. */
export function listRows<T extends string>(
  choices: readonly Choice<T>[],
  { grouped, makes }: { grouped: boolean; makes?: string | undefined },
): ListRow<T>[] {
  const rows: ListRow<T>[] = []
  const groups = new Map<string, Choice<T>[]>()
  for (const choice of choices) {
    const name = grouped ? (choice.group ?? '') : ''
    const group = groups.get(name)
    if (group) group.push(choice)
    else groups.set(name, [choice])
  }
  for (const [name, members] of groups) {
    if (name !== '') rows.push({ kind: 'group', name })
    for (const choice of members) rows.push({ kind: 'choice', choice })
  }
  if (makes !== undefined) rows.push({ kind: 'new', words: makes })
  return rows
}

/** The nearest enabled row from `at` in the direction of `step`. -1 if there is none. */
export function nextRow(rows: readonly ListRow[], at: number, step: 1 | -1): number {
  for (let index = at; index >= 0 && index < rows.length; index += step) {
    const row = rows[index]!
    if (row.kind === 'new' || (row.kind === 'choice' && !row.choice.disabled)) return index
  }
  return -1
}

/** Places a list of `height` pixels below the field, or above it if there is more room, within the window. */
export function placeList(
  field: { left: number; top: number; bottom: number; width: number },
  height: number,
  window: { width: number; height: number },
  least = 220,
): { left: number; top: number; width: number; height: number } {
  const gap = 4
  const edge = 8
  const under = window.height - edge - field.bottom - gap
  const over = field.top - gap - edge
  const above = under < Math.min(height, 160) && over > under
  const fits = Math.max(56, Math.min(height, above ? over : under))
  const width = Math.min(Math.max(field.width, least), window.width - 2 * edge)
  return {
    left: Math.max(edge, Math.min(field.left, window.width - edge - width)),
    top: above ? Math.max(edge, field.top - gap - fits) : Math.min(field.bottom + gap, window.height - edge - fits),
    width,
    height: fits,
  }
}
