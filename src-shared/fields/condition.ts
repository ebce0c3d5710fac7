import { z } from 'zod'

/** Condition on a column of a row. Cells compare as text, numbers by value. */
export type Condition = { column: string } & (
  | { is: readonly string[] }
  | { isNot: readonly string[] }
  /** Words that the cell contains, ignoring case. */
  | { has: string }
  | { hasNot: string }
  /** Regular expressions, which run in time linear to the text. */
  | { matches: string }
  | { matchesNot: string }
  /** Both ends are inclusive. An empty cell is in no range. */
  | { from?: string; to?: string }
  /** Exclusive. An empty cell is neither above nor below. */
  | { above: string }
  | { below: string }
  /** Number of characters that the text exceeds. */
  | { longer: number }
  | { empty: boolean }
)

/** Maximum length of a condition’s text. */
export const maxConditionText = 1_000

const column = z.string().min(1).max(200)
const text = z.string().max(maxConditionText)
const texts = z.array(text).max(1_000)

/** Condition from a file or from storage. */
export const conditionSchema = z.union([
  z.strictObject({ column, is: texts }),
  z.strictObject({ column, isNot: texts }),
  z.strictObject({ column, has: text }),
  z.strictObject({ column, hasNot: text }),
  z.strictObject({ column, matches: text }),
  z.strictObject({ column, matchesNot: text }),
  z.strictObject({ column, above: text }),
  z.strictObject({ column, below: text }),
  z.strictObject({ column, longer: z.number().int().min(0).max(1_000_000) }),
  z.strictObject({ column, empty: z.boolean() }),
  z.strictObject({ column, from: text.optional(), to: text.optional() }),
])
