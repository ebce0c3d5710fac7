import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { collectionNames } from '#shared/domain/collections'
import { actionSchema } from '#shared/mutation/entry'

const root = resolve(import.meta.dirname, '../..')
const rooms = ['src-renderer/replica', 'src-renderer/sync', 'src-shared/merge', 'src-shared/mutation', 'src-main/sync']
/** They don't branch on it: what views may request, and the list of actions. */
const still = new Set(['src-renderer/replica/api.ts', 'src-shared/mutation/entry.ts'])
const actionNames = actionSchema.options.map(({ shape }) => shape.name.value)

const files = rooms
  .flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }).map((name) => join(room, name)),
  )
  .filter((path) => path.endsWith('.ts'))

describe('the sync engine', () => {
  it("uses the account's API versions, not the newest", () => {
    const newest = /import \{[^}]*\bcollections\b[^}]*\} from '#shared\/domain\/collections'/
    expect(files.filter((path) => newest.test(readFileSync(join(root, path), 'utf8')))).toEqual([])
  })

  it('names no collection or action: special cases are facts or behaviors', () => {
    const named = new RegExp(`'(${[...collectionNames, ...actionNames].join('|')})(\\\\n[^']*)?'`)
    const found = files
      .filter((path) => !still.has(path))
      .flatMap((path) => {
        const lines = readFileSync(join(root, path), 'utf8').split('\n')
        return lines.flatMap((line, at) => (named.test(line) ? [`${path}:${at + 1} ${line.trim()}`] : []))
      })
    expect(found).toEqual([])
  })
})
