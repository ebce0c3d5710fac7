import { beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import { recordKey } from '#shared/domain/collections'
import { addProfiles, modelForEach, profile } from './model/for-each'

/** Nothing locks a record between read and write. The change log shows afterwards who wrote in between. */
describe('a change by someone else just before ours arrives', () => {
  let id: string
  const { clock, service, replica } = modelForEach(2_000, () => {
    addProfiles(service)
    const made = service.callAs('x', 'trafficking.advertisers.insert', { profileId: '81' }, { name: 'Nordic' })!
    id = String(made.id)
  })
  const notices = (): string[] => replica.notices().map(({ text }) => text)

  beforeEach(async () => {
    await replica.download({ parent: profile, what: 'all' })
    await clock.pass(5_000)
    let slipped = false
    service.meanwhile = (call) => {
      if (slipped || call.id !== 'trafficking.advertisers.patch') return
      slipped = true
      const params: JsonObject = { profileId: '81', id }
      service.callAs('x', call.id, params, { name: 'Theirs' })
    }
  })

  const rename = async (): Promise<void> => {
    const key = recordKey('advertisers', profile, id)
    await replica.edit([{ kind: 'change', key, patch: { name: 'Mine' } }], { label: 'Rename *Nordic*' })
    await replica.post()
    await clock.pass(120_000)
  }

  it('is reported with both values', async () => {
    await rename()
    expect(replica.outbox()).toEqual([])
    expect(notices()).toEqual([
      expect.stringMatching(
        /^Ada set the name to “Theirs”, and your change “Rename Nordic” set it to “Mine” a moment later/,
      ),
    ])
  })

  it('is reported with lost list entries', async () => {
    const make = (collection: string, value: JsonObject): string =>
      String(service.callAs('x', `trafficking.${collection}.insert`, { profileId: '81' }, value)!.id)
    const site = make('sites', { name: 'Site', directorySiteId: make('directorySites', { name: 'Site' }) })
    replica.syncNow()
    await clock.pass(5_000)
    let slipped = false
    const contact = (email: string, title: string): JsonObject => ({
      siteContacts: [{ email, contactType: 'TRAFFICKER', title }],
    })
    service.meanwhile = (call) => {
      if (slipped || call.id !== 'trafficking.sites.patch') return
      slipped = true
      service.callAs('x', call.id, { profileId: '81', id: site }, contact('ada@example.com', 'Planner'))
    }
    const key = recordKey('sites', profile, site)
    const patch = contact('mina@example.com', 'Buyer')
    await replica.edit([{ kind: 'change', key, patch }], { label: 'Add a contact' })
    await replica.post()
    await clock.pass(120_000)
    expect(slipped).toBe(true)
    expect(notices()).toEqual([
      expect.stringMatching(
        /changed the site contacts, and .*Their version contained “ada@example.com”, “Planner”. It’s in the change log./,
      ),
    ])
  })

  it('is reported if we deleted the record', async () => {
    const params: JsonObject = { profileId: '81' }
    const fields = { type: 'IMAGE', url: 'https://www.example/t', status: 'ENABLED', enabledByDefault: false }
    const tag = { ...fields, name: 'Tag', advertiserId: id }
    const made = String(service.callAs('x', 'trafficking.eventTags.insert', params, tag)!.id)
    replica.syncNow()
    await clock.pass(5_000)
    service.meanwhile = (call) => {
      if (call.id !== 'trafficking.eventTags.delete') return
      service.meanwhile = () => undefined
      service.callAs('x', 'trafficking.eventTags.patch', { ...params, id: made }, { name: 'Interim' })
      service.callAs('x', 'trafficking.eventTags.patch', { ...params, id: made }, { name: 'Theirs' })
    }
    await replica.edit([{ kind: 'delete', key: recordKey('eventTags', profile, made) }], { label: 'Delete *Tag*' })
    await replica.post()
    await clock.pass(120_000)
    expect(notices()).toEqual([
      'Ada set the name to “Theirs”, and you deleted the record a moment later (“Delete Tag”) without seeing their change. If it’s still needed, create it again.',
    ])
  })

  it('is reported once its change log is read, even days later', async () => {
    const key = recordKey('advertisers', profile, id)
    await replica.edit([{ kind: 'change', key, patch: { name: 'Mine' } }], { label: 'Rename *Nordic*' })
    for (const download of replica.downloads()) await replica.removeDownload(download.key)
    await replica.post()
    await clock.pass(120_000)
    clock.time += 20 * 86_400_000
    expect([replica.outbox(), notices()]).toEqual([[], []])
    await replica.download({ parent: profile, what: 'all' })
    await clock.pass(120_000)
    expect(notices()).toEqual([
      expect.stringMatching(/^Ada set the name to “Theirs”, and your change “.+” set it to “Mine” a moment later/),
    ])
  })

  it('is reported when our response was lost and the change log came first', async () => {
    let lost = false
    service.trouble = ({ id: call }, moment) => {
      if (lost || moment !== 'after' || call !== 'trafficking.advertisers.patch') return undefined
      lost = true
      replica.syncNow()
      return 'answerLost'
    }
    await rename()
    expect(replica.outbox()).toEqual([])
    expect(notices()).toEqual([expect.stringContaining('Theirs')])
  })

  it('asks when our change arrived, its response was lost, and they restored the old value', async () => {
    let lost = false
    service.meanwhile = () => undefined
    service.trouble = ({ id: call }, moment) => {
      if (lost || moment !== 'after' || call !== 'trafficking.advertisers.patch') return undefined
      lost = true
      service.callAs('x', call, { profileId: '81', id }, { name: 'Nordic' })
      return 'answerLost'
    }
    await rename()
    expect(lost).toBe(true)
    expect(service.callAs('x', 'trafficking.advertisers.get', { profileId: '81', id })!.name).toBe('Nordic')
    const [entry] = replica.outbox()
    expect(entry).toMatchObject({ state: 'needsYou', conflict: { fields: ['name'] } })
    await replica.resolve(entry!.id, { fields: { name: 'mine' } })
    await clock.pass(120_000)
    expect(service.callAs('x', 'trafficking.advertisers.get', { profileId: '81', id })!.name).toBe('Mine')
  })
})
