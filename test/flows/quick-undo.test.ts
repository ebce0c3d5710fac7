import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Replica } from '../../src-renderer/replica/api'
import { openWholeAccount, type OpenAccount } from '../helpers/whole-account'

let account: OpenAccount
let replica: Replica
/** Placements with bodies only on disk and without pending changes. */
let keys: string[]

beforeAll(async () => {
  account = await openWholeAccount()
  ;({ replica } = account.device)
  const { profile } = account
  const rows = await replica.table('placements', { parent: profile, columns: ['name'] })
  keys = [0, 1, 2].map((row) => rows.key(row))
  for (const [at, key] of keys.entries()) await comment(key, `Comment ${at}`)
  await replica.post()
  await account.device.until('all are sent', ({ status }) => status.unsent === 0)
})
afterAll(() => account?.close())

const comment = (key: string, text: string): Promise<unknown> =>
  replica.edit([{ kind: 'change', key, patch: { comment: text } }], { label: text })
const comments = async (): Promise<unknown[]> =>
  (await Promise.all(keys.map((key) => replica.read(key)))).map((row) => row?.value?.['comment'] ?? '')

describe('keys faster than the disk', () => {
  it('undo as many steps as pressed, last first', async () => {
    expect(await Promise.all([replica.undo(), replica.undo(), replica.undo()])).toEqual([
      'Comment 2',
      'Comment 1',
      'Comment 0',
    ])
    expect(await comments()).toEqual(['', '', ''])
    expect(await Promise.all([replica.redo(), replica.redo(), replica.redo()])).toEqual([
      'Comment 0',
      'Comment 1',
      'Comment 2',
    ])
    expect(await comments()).toEqual(['Comment 0', 'Comment 1', 'Comment 2'])
  })

  it('undo the latest edit, not the one before', async () => {
    const { profile } = account
    const rows = await replica.table('placements', { parent: profile, columns: ['name'] })
    const other = rows.key(3)
    const before = (await replica.read(other))!.value!['comment']
    const written = comment(other, 'Just now')
    expect(await replica.undo()).toBe('Just now')
    await written
    expect((await replica.read(other))!.value!['comment']).toEqual(before)
    expect(await comments()).toEqual(['Comment 0', 'Comment 1', 'Comment 2'])
  })
})
