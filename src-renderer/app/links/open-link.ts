import { faultOf } from '#shared/fault'
import { parseRecordKey, recordKey } from '#shared/domain/collections'
import { readLink, type Link } from '#shared/links/link'
import { ask } from '../../bridge'
import type { AppContext, Place } from '../../context/context'
import { eventPlace } from '../../context/event-place'
import type { Replica, Row } from '../../replica/api'

/** Milliseconds to wait for a record that exists on the server. */
const patienceMs = 30_000

/** Opens an address that came from outside of the app, or says why not. */
export async function openLink(app: AppContext, text: string): Promise<void> {
  const link = readLink(text)
  if (!link) {
    app.toasts.show('Couldn’t open the link. It’s incomplete, or it isn’t a Flightplan link. Nothing changed.', {
      level: 'error',
    })
    return
  }
  if (link.to === 'view') return app.navigation.go(link.view)
  if (link.to === 'date') return app.navigation.go('calendar', { day: link.day })
  const row = await rowOf(app.replica, link.key)
  if (row) return show(app, row, link)
  const other = await app.accounts.accountWith(link.key)
  if (other) {
    app.accounts.placeNext = placeOf(other.replica, other.row, link, app.preferences.zone)
    return app.showAccount(other.id, app.accounts.placeNext.view)
  }
  const noun = nounOf(app.replica, link.key)
  app.toasts.show(`This ${noun} isn’t on this computer.`, {
    seconds: 0,
    action: { label: 'Look for it', run: () => void lookFor(app, link) },
  })
}

/** Asks the server for a record and waits until it has arrived. */
async function lookFor(app: AppContext, link: Link & { to: 'record' }): Promise<void> {
  const { replica } = app
  const { collection, parent, id } = parseRecordKey(link.key)
  const noun = nounOf(replica, link.key)
  if (replica.status.offline)
    return void app.toasts.show(`You’re offline. Go online to look for this ${noun}.`, {
      action: { label: 'Go online', run: () => void replica.setOffline(false).then(() => lookFor(app, link)) },
    })
  app.announce(`Looking for the ${noun}…`)
  // An alias, such as `primary`, stands for another ID.
  let { key } = link
  try {
    const found = await ask(app.bridge, 'sync/read', { accountId: app.account.id, collection, parent, id })
    if (found.value === null) return fail(app, noun, goneWords)
    key = recordKey(found.collection, found.parent, found.id)
  } catch (error) {
    const { code, message } = faultOf(error)
    return fail(app, noun, code === 'notFound' || code === 'gone' || code === 'forbidden' ? goneWords : message)
  }
  replica.syncNow()
  const row = await arrival(replica, key)
  if (row) show(app, row, link)
  else {
    const why = replica.facts.of(collection).service === 'trafficking' ? campaignWords : lateWords
    app.toasts.show(`This ${noun} exists, but ${why}`, {
      action: { label: 'Open Sync', run: () => app.navigation.go('sync') },
    })
  }
}

const campaignWords = 'isn’t downloaded. Choose what to download in Sync.'
const lateWords = 'hasn’t been downloaded yet. Open the link again after the next sync.'
const goneWords = 'It was deleted, or you don’t have access to it.'
const fail = (app: AppContext, noun: string, why: string): void =>
  void app.toasts.show(`Couldn’t open this ${noun}. ${why}`, { level: 'error' })

/** The record once it’s here. Undefined if that takes too long. */
function arrival(replica: Replica, key: string): Promise<Row | undefined> {
  return new Promise((resolve) => {
    const look = (): void => void rowOf(replica, key).then((row) => row && end(row))
    const off = replica.subscribe(look)
    const timer = setTimeout(() => end(undefined), patienceMs)
    function end(row: Row | undefined): void {
      off()
      clearTimeout(timer)
      resolve(row)
    }
    look()
  })
}

export async function rowOf(replica: Replica, key: string): Promise<Row | undefined> {
  const row = await replica.read(key).catch(() => undefined)
  return row?.value ? row : undefined
}

const nounOf = (replica: Replica, key: string): string => {
  const { collection } = parseRecordKey(key)
  return replica.facts.all.find(({ name }) => name === collection)?.words.one ?? 'record'
}

function show(app: AppContext, row: Row, link: Link & { to: 'record' }): void {
  const { view, params } = placeOf(app.replica, row, link, app.preferences.zone)
  app.navigation.go(view, params)
}

/** Where a record is shown. */
function placeOf(replica: Replica, row: Row, link: Link & { to: 'record' }, zone: string): Place {
  switch (row.collection) {
    case 'events':
      return eventPlace(replica, row.key, row.value, zone, link.day)
    case 'tasks':
      return { view: 'tasks', params: { list: row.parent ?? '', task: row.id } }
    case 'tasklists':
      return { view: 'tasks', params: { list: row.id } }
    case 'calendarList':
    case 'calendars':
      return { view: 'settings', params: { calendar: row.id } }
    case 'reports':
      return { view: 'reports', params: {} }
    default: {
      const isCampaign = replica.facts.of(row.collection).service === 'trafficking'
      if (!isCampaign) return { view: 'calendar', params: {} }
      const profile = row.parent?.split('\n')[0]
      return {
        view: 'campaigns',
        params: { kind: row.collection, ...(profile && { profile }), record: row.key },
      }
    }
  }
}
