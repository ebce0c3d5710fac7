import type { Setting } from '#shared/wire/calendar/types'
import { pageOfRows } from '../cursors'
import { listEtag, stampEtag } from '../etags'
import type { HandlersOf } from '../operation'
import { notFound } from '../problems'
import { calendarColors, eventColors } from './palette'
import { queryFreeBusy } from './free-busy'
import { Channels } from '../channels'

interface SettingRow {
  id: string
  value: string
  changed: number
  deleted: number
}

const view = (row: SettingRow): Setting => ({
  kind: 'calendar#setting',
  etag: stampEtag(row.changed),
  id: row.id,
  value: row.value,
})

const rowsSql = 'SELECT id, value, changed, 0 AS deleted FROM settings WHERE person = ?'

type Others = HandlersOf<'calendar.settings'> &
  HandlersOf<'calendar.colors'> &
  HandlersOf<'calendar.channels'> &
  HandlersOf<'calendar.freebusy'>

/** Settings, colors, channels and free/busy. */
export const otherHandlers: Others = {
  'calendar.settings.list': (call) => {
    const rows = call.service.store.all<SettingRow>(rowsSql, call.person.id)
    const { rows: kept, ...tokens } = pageOfRows(
      call,
      `settings:${call.person.id}`,
      rows,
      (row) => row.id,
      () => true,
    )
    const list = { kind: 'calendar#settings', ...tokens, items: kept.map(view) }
    return { ...list, etag: listEtag(list) }
  },

  'calendar.settings.get': (call) => {
    const row = call.service.store.get<SettingRow>(`${rowsSql} AND id = ?`, call.person.id, call.params.setting)
    if (!row) throw notFound()
    return view(row)
  },

  'calendar.settings.watch': (call) =>
    call.service
      .of(Channels)
      .open(call, `settings:${call.person.id}`, `${call.service.baseUrl()}/calendar/v3/users/me/settings?alt=json`),

  'calendar.colors.get': () => ({
    kind: 'calendar#colors',
    updated: '2012-02-14T00:00:00.000Z',
    calendar: calendarColors,
    event: eventColors,
  }),

  'calendar.channels.stop': (call) => {
    call.service.of(Channels).close(call)
  },

  'calendar.freebusy.query': queryFreeBusy,
}
