import { expect, it } from 'vitest'
import { factsOf } from '#shared/facts/facts'
import { kindsOf } from '#shared/facts/kinds'
import { campaignCommands } from '../../../src-renderer/app/campaign-commands'
import type { AppContext } from '../../../src-renderer/context/context'
import type { ChosenDownload } from '../../../src-renderer/replica/api'

function offered(chosen: readonly ChosenDownload[]): string[] {
  const replica = {
    facts: factsOf(),
    status: { lanes: [{ service: 'trafficking' }], offline: false },
    chosenDownloads: () => chosen,
    downloads: () => {
      throw new Error('What is on offer does not depend on how far thousands of lists are')
    },
  }
  const commands = campaignCommands({ replica } as unknown as AppContext)
  return commands.flatMap(({ id, when }) => (when?.() === false || !id.startsWith('downloads.') ? [] : [id]))
}

it('download commands are offered by state, without checking progress', () => {
  const one: ChosenDownload = { key: 'p\nall', parent: 'p', what: 'all', paused: false }
  expect(offered([])).toEqual(['downloads.choose'])
  expect(offered([one])).toEqual(['downloads.choose', 'downloads.pause', 'downloads.refresh'])
  expect(offered([{ ...one, paused: true }])).toEqual(['downloads.choose', 'downloads.resume', 'downloads.refresh'])
})

it('each list that Campaigns shows has one command', () => {
  const facts = factsOf()
  const commands = campaignCommands({ replica: { facts } } as unknown as AppContext)
  const lists = commands.flatMap(({ id, title }) => (id.startsWith('campaigns.show.') ? [{ id, title }] : []))
  expect(lists.map(({ id }) => id)).toEqual(kindsOf(facts).map(({ name }) => `campaigns.show.${name}`))
  expect(new Set(lists.map(({ title }) => title)).size).toBe(lists.length)
})
