import { expect, it } from 'vitest'
import { pull } from '../../../src-main/sync/pull'
import { serviceForFile } from '../../helpers/for-file'

const service = serviceForFile()

it('the next sync of the calendar list brings what its sync token omits, such as a new name', async () => {
  const { client } = service
  const { body: calendar } = await client.call('calendar.calendars.insert', {}, { body: { summary: 'Team' } })
  const calendarId = String(calendar!.id)
  const first = await pull(client, { collection: 'calendarList', parent: null, cursor: null, page: null })
  await client.call('calendar.calendars.patch', { calendarId }, { body: { summary: 'Crew' } })
  const cursor = first.cursor ?? { kind: 'updatedMin', value: 'snapshot' }
  const { records } = await pull(client, { collection: 'calendarList', parent: null, cursor, page: null })
  expect(records.find(({ id }) => id === calendarId)?.value).toMatchObject({ summary: 'Crew' })
})
