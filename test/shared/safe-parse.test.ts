import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { safeParse } from '#shared/safe-parse'

const schema = z.object({ name: z.string().max(9), list: z.array(z.string()).max(2).optional() })

it('takes a value whose length can’t be compared for invalid, as in a hostile file', () => {
  const text = '{"name":{"length":{"toString":null,"valueOf":null}}}'
  expect(safeParse(schema, JSON.parse(text)).success).toBe(false)
  expect(safeParse(schema, JSON.parse(`{"name":"a","list":${text}}`)).success).toBe(false)
})

it('parses as the schema does, with its issues', () => {
  expect(safeParse(schema, { name: 'a' })).toEqual({ success: true, data: { name: 'a' } })
  expect(safeParse(schema, { name: 'a'.repeat(10) }).error?.issues[0]?.path).toEqual(['name'])
})

it('is the only way in which data from outside is parsed', () => {
  const root = resolve(import.meta.dirname, '../..')
  const files = ['src-main', 'src-renderer', 'src-shared'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  const others = files.filter(
    (file) =>
      /\.(?:ts|svelte)$/.test(file) &&
      !file.endsWith('safe-parse.ts') &&
      readFileSync(join(root, file), 'utf8').includes('.safeParse('),
  )
  expect(others).toEqual([])
})
