import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import type { Fetch } from '../../src-main/http/send'
import { serviceForEach } from '../helpers/for-file'
import { openDevice, type Device } from '../helpers/device'

const primary = 'alex.morgan@flightplan.example'

const service = serviceForEach()
let here: Device
let endless = false
let pages = 0

/** The service, with an endless list of events while `endless` is set. */
const endlessLists: Fetch = async (url, init) => {
  if (!endless || !/\/events\?/.test(url) || init.method !== 'GET') return fetch(url, init)
  const answer = await fetch(url.replace(/pageToken=[^&]*&?/, ''), init)
  const body = (await answer.json()) as JsonObject
  const page = { ...body, nextPageToken: `page-${++pages}`, nextSyncToken: undefined }
  return new Response(JSON.stringify(page), { status: 200, headers: { 'content-type': 'application/json' } })
}

beforeEach(async () => {
  here = await openDevice({
    baseUrl: () => service.sandbox.baseUrl,
    token: () => service.sandbox.token,
    fetch: endlessLists,
  })
  await here.settled()
})
afterEach(async () => {
  endless = false
  await here?.close()
})

describe('a list with endless pages', () => {
  it("doesn't block edits between pages, which stay as sent", async () => {
    const times = { start: { date: '2026-05-04' }, end: { date: '2026-05-05' } }
    endless = true
    here.replica.syncNow()
    await here.until('reading in circles', () => pages > 20)
    const { keys } = await here.replica.edit(
      [{ kind: 'create', collection: 'events', parent: primary, value: { summary: 'Out', ...times } }],
      { label: 'New event' },
    )
    await here.until('sent', ({ status }) => status.unsent === 0)
    await here.replica.edit([{ kind: 'change', key: keys[0]!, patch: { summary: 'Out again' } }], { label: 'Rename' })
    await here.until('sent again', ({ status }) => status.unsent === 0)
    expect((await here.replica.read(keys[0]!))?.value?.['summary']).toBe('Out again')
    endless = false
    await here.settled()
    expect((await here.replica.read(keys[0]!))?.value?.['summary']).toBe('Out again')
  })
})
