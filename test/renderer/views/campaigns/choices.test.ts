import { expect, it } from 'vitest'
import { factsOf } from '#shared/facts/facts'
import { fieldAt } from '#shared/fields/path'
import { readField } from '#shared/fields/read'
import { choicesOfField, searchedChoices } from '../../../../src-renderer/views/campaigns/choices'
import type { CampaignsModel } from '../../../../src-renderer/views/campaigns/model.svelte'

const facts = factsOf()
const none = { columns: [], length: 0 }
const model = {
  ...{ kind: facts.of('sites'), scope: { profile: 'p' } },
  app: { replica: { facts, peek: () => undefined, table: () => Promise.resolve(none) } },
} as unknown as CampaignsModel
const found = (path: string, words: string): Promise<readonly unknown[]> =>
  searchedChoices(model, { path, record: {} }, 'p', undefined)(words)

it('records that are never downloaded can be chosen by ID, and the list says so', async () => {
  // An empty value would be that of the field, which would show the hint as its text.
  const hint = { value: '?', label: 'Directory sites aren’t downloaded. Enter an ID', disabled: true }
  expect(await found('directorySiteId', '')).toEqual([hint])
  expect(await found('directorySiteId', 'Morning')).toEqual([hint])
  const chosen = { value: '2400108', label: '#2400108' }
  expect(await found('directorySiteId', '2400108')).toEqual([chosen])
  expect(await found('directorySiteId', ' #2400108 ')).toEqual([chosen])
  expect(await found('campaignId', '2400108')).toEqual([])
})

it('the languages of a user profile have names, which can be typed, too', () => {
  const { table } = facts.of('accountUserProfiles')
  const field = fieldAt(facts.of('accountUserProfiles'), 'locale')!
  const languages = new Intl.DisplayNames('en', { type: 'language' })
  expect(choicesOfField(field, 'en')).toEqual(
    field.enum!.map((tag) => ({ value: tag, label: languages.of(String(tag)) })),
  )
  const context = { today: 0, zone: 'UTC', currency: 'EUR', find: () => [] }
  const read = (text: string): unknown => readField(table, 'locale', field, text, context)
  expect(['Czech', 'en', 'english', 'British English', 'pt-BR'].map(read)).toEqual(
    ['cs', 'en', 'en', 'en-GB', 'pt-BR'].map((value) => ({ value })),
  )
})
