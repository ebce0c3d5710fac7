import { expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import { factsOf } from '#shared/facts/facts'
import { end } from '../../../../src-renderer/views/campaigns/ending'

const facts = factsOf()

/** Ends sites, which the service can’t delete. Returns the keys of deleted ones, and what was shown. */
async function ended(...ids: string[]): Promise<{ deleted: string[]; shown: string[] }> {
  const [deleted, shown]: [string[], string[]] = [[], []]
  const rows = ids.map((id) => {
    const key = recordKey('sites', '7', id)
    return [key, { key, id, collection: 'sites', parent: '7', value: { name: `Site ${id}` } }] as const
  })
  const model = {
    work: { run: async (_title: string, run: (how: object) => unknown) => ({ value: await run({}) }) },
    titleOf: ({ value }: { value: { name: string } }) => value.name,
    app: {
      replica: { facts, inTurn: (run: () => unknown) => run(), readAll: () => Promise.resolve(new Map(rows)) },
      edit: (changes: { key: string }[], _options: object, { text }: { text: string }) => {
        deleted.push(...changes.map(({ key }) => key))
        shown.push(text)
      },
      toasts: { show: (text: string) => shown.push(text) },
    },
  }
  await end(
    model as never,
    rows.map(([key]) => key),
  )
  return { deleted, shown }
}

it('a new record can be deleted, also of a kind that the service can’t delete', async () => {
  expect(await ended('local:1')).toEqual({
    deleted: [recordKey('sites', '7', 'local:1')],
    shown: ['Deleted “Site local:1”'],
  })
})

it('records that can’t be deleted are left alone, which the user is told', async () => {
  expect(await ended('5')).toEqual({ deleted: [], shown: ['Sites can’t be deleted'] })
  const both = await ended('5', 'local:1')
  expect(both.deleted).toEqual([recordKey('sites', '7', 'local:1')])
})
