import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { requests } from '#shared/ipc/contract'

// Run IDs name folders, so no request may pass on one that leaves its folder.

/** Schemas of all run ID fields, by request, at any depth. */
function runIdFields(): { request: string; schema: z.ZodType }[] {
  const found: { request: string; schema: z.ZodType }[] = []
  for (const [request, schema] of Object.entries(requests)) {
    const seen = new Set<unknown>()
    const look = (part: unknown): void => {
      if (typeof part !== 'object' || part === null || seen.has(part)) return
      seen.add(part)
      if (part instanceof z.ZodObject)
        for (const [name, field] of Object.entries(part.shape as Record<string, z.ZodType>))
          if (/^run_?ids?$/i.test(name)) found.push({ request, schema: field })
      if (part instanceof z.ZodType) for (const inner of Object.values(part.def)) look(inner)
      else for (const inner of Object.values(part)) look(inner)
    }
    look(schema)
  }
  return found
}

const unsafe = [
  ...['', '.', '..', '...', '../x', '../../journal', 'a/b', 'a\\b', '..\\x', '/etc', 'C:\\x', 'C:x', '\\\\host\\share'],
  ...['~', '.aside-1', 'run.json', 'a\0b', 'a\nb', ' a', 'a%2Fb', '\u2215', '\uff0e\uff0e', 'a'.repeat(81)],
]
/** A field's value: alone, or in a list. */
const given = (schema: z.ZodType, id: string): unknown => (schema instanceof z.ZodArray ? [id] : id)

describe('run IDs in requests', () => {
  it.each(runIdFields())('$request accepts only a single safe name', ({ schema }) => {
    expect(schema.safeParse(given(schema, '00001000000000-0a0b0c0d')).success).toBe(true)
    expect(unsafe.filter((id) => schema.safeParse(given(schema, id)).success)).toEqual([])
  })

  it('are found in every request type with runs', () => {
    expect(runIdFields().map(({ request }) => request)).toEqual(
      expect.arrayContaining([
        'results/open',
        'many/export',
        'report-files/restore',
        'reports/remove',
        'reports/restore',
      ]),
    )
  })
})
