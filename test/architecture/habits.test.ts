import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { collectionNames } from '#shared/domain/collections'
import { actionSchema } from '#shared/mutation/entry'

const folder = resolve(import.meta.dirname, '../../src-renderer/replica')
/** Storage and what lies beside it still knows which rows are read when; views name what they ask for. */
const still = new Set(['api.ts', 'apply.ts', 'dexie-store.ts', 'load.ts', 'memory-store.ts'])
const actionNames = actionSchema.options.map(({ shape }) => shape.name.value)

describe('the replica', () => {
  it('names no collection and no action: what is special about them is a habit', () => {
    const named = new RegExp(`'(${[...collectionNames, ...actionNames].join('|')})(\\\\n[^']*)?'`)
    const found = readdirSync(folder)
      .filter((name) => !still.has(name))
      .flatMap((name) => {
        const lines = readFileSync(join(folder, name), 'utf8').split('\n')
        return lines.flatMap((line, at) => (named.test(line) ? [`${name}:${at + 1} ${line.trim()}`] : []))
      })
    expect(found).toEqual([])
  })
})
