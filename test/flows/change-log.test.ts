import { beforeEach, describe, expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import { addProfiles, modelForEach, profile } from './model/for-each'

/** The change log names what to read again. A service may write it late, in any order, twice, or not at all. */
describe('a change log', () => {
  const minute = 60_000
  const day = 86_400_000
  let ids: string[]
  /** Changes what the log says. */
  let logged: (entries: JsonObject[], now: number) => JsonObject[]

  const { clock, service, device, replica } = modelForEach(2_000, () => {
    logged = (entries) => entries
    const { trafficking } = service
    const call = trafficking.call.bind(trafficking)
    trafficking.call = (id, params, body) => {
      const answer = call(id, params, body)
      if (id !== 'trafficking.changeLogs.list') return answer
      return { ...answer, changeLogs: logged(answer!.changeLogs as JsonObject[], clock.time) }
    }
    addProfiles(service)
    const make = (kind: string, value: JsonObject): string =>
      String(service.callAs('x', `trafficking.${kind}.insert`, { profileId: '81' }, value)!.id)
    const advertiserId = make('advertisers', { name: 'Nordic' })
    // Only the log and a daily read show changes of these.
    ids = ['North', 'South', 'West'].map((name) => make('creativeFields', { name, advertiserId }))
  })
  beforeEach(async () => {
    await replica.download({ parent: profile, what: 'all' })
    await clock.pass(minute)
  })

  const rename = (id: string, name: string): void =>
    void service.callAs('x', 'trafficking.creativeFields.patch', { profileId: '81', id }, { name })
  const names = async (): Promise<unknown[]> =>
    Promise.all(ids.map(async (id) => (await replica.read(recordKey('creativeFields', profile, id)))?.value?.name))
  const timeOf = (entry: JsonObject): number => Date.parse(entry.changeTime as string)
  const renamed = ['North 2', 'South 2', 'West 2']
  const renameAll = async (): Promise<void> => {
    for (const [index, name] of renamed.entries()) {
      rename(ids[index]!, name)
      await clock.pass(1_000)
    }
  }

  it.each([1, 5, 20])('whose entries come %i minutes late hides no change', async (late) => {
    logged = (entries, now) => entries.filter((entry) => timeOf(entry) < now - late * minute)
    await renameAll()
    await clock.pass((late + 12) * minute)
    expect(await names()).toEqual(renamed)
  })

  it('whose entries come in any order and twice hides no change, and reports none twice', async () => {
    logged = (entries) => [...entries, ...entries].reverse()
    await renameAll()
    await clock.pass(12 * minute)
    expect(await names()).toEqual(renamed)
    expect(replica.notices()).toEqual([])
  })

  it('whose reads overlap is written once, and again where the service corrected an entry', async () => {
    await renameAll()
    await clock.pass(12 * minute)
    const written: string[] = []
    device.store.beforeWrite = (batch) => {
      for (const write of batch)
        if (write.table === 'bodies' && 'put' in write && write.put.key.startsWith('changeLogs\n'))
          written.push(write.put.text)
    }
    const before = service.calls.length
    await clock.pass(12 * minute)
    const reads = service.calls.slice(before).filter(({ id }) => id === 'trafficking.changeLogs.list')
    expect(reads.length).toBeGreaterThan(1)
    expect(written).toEqual([])
    logged = (entries) => entries.map((entry) => ({ ...entry, userProfileName: 'Corrected' }))
    await clock.pass(12 * minute)
    expect(written.join('')).toContain('Corrected')
  })

  it('makes what it names as current as itself, unless a download is paused', async () => {
    const age = (name: string): number => {
      const [download] = replica.downloads()
      return clock.time - download!.parts.find(({ collection }) => collection === name)!.readAt!
    }
    const read = replica.downloads()[0]!.readAt!
    await clock.pass(3 * 60 * minute)
    expect(age('changeLogs')).toBeLessThan(60 * minute)
    expect(age('creativeFields')).toBe(age('changeLogs'))
    await replica.pauseDownload(replica.downloads()[0]!.key, true)
    expect(age('creativeFields')).toBeGreaterThanOrEqual(3 * 60 * minute)
    expect(replica.downloads()[0]!.readAt).toBe(read)
  })

  it('that leaves out changes is made up for by the daily read', async () => {
    logged = () => []
    await renameAll()
    await clock.pass(day + 30 * minute)
    expect(await names()).toEqual(renamed)
  })

  it.each([false, true])(
    'that reaches back less than a computer was away hides no change (restarted: %s)',
    async (restarted) => {
      await replica.setOffline(true)
      await renameAll()
      const gone = ids.pop()!
      service.callAs('x', 'trafficking.creativeFields.delete', { profileId: '81', id: gone })
      if (restarted) device.crash()
      await clock.pass(40 * day)
      logged = (entries, now) => entries.filter((entry) => timeOf(entry) > now - 30 * day)
      if (restarted) await device.start()
      await replica.setOffline(false)
      await clock.pass(12 * minute)
      expect(await names()).toEqual(renamed.slice(0, 2))
      expect(await replica.read(recordKey('creativeFields', profile, gone))).toBeUndefined()
    },
  )
})
