import { z } from 'zod'

const invalid = z.never({ error: 'is invalid' })

/**
 * Parses with a schema like `safeParse`, but never throws. Zod checks lengths of objects that aren't texts, too, and throws for
 * `{ length: {} }`, because that can't be compared with a number.
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
