import { z } from 'zod'

const invalid = z.never({ error: 'is invalid' })

/**
 * Parses with a schema, as its `safeParse` does, but never throws. Checks of a length also look at objects that aren't texts, and
 * throw for `{ length: {} }` if that can't be compared with a number.
 */
export function safeParse<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.ZodSafeParseResult<z.output<Schema>> {
  try {
    return schema.safeParse(value)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return invalid.safeParse(value) as z.ZodSafeParseResult<z.output<Schema>>
  }
}
