import { expect, it } from 'vitest'
import { collections } from '#shared/domain/collections'
import { contentToCreate } from '#shared/domain/writable'

it('takes over what a new record can have, and no ID, mark of a restoration, or field of the service', () => {
  const { events, tasks } = collections
  const task = { id: 't', etag: '"1"', deleted: false, hidden: true, position: '01', selfLink: 'x', title: 'Plan' }
  expect(contentToCreate(tasks, { ...task, status: 'completed' })).toEqual({ title: 'Plan', status: 'completed' })
  const event = { id: 'e', etag: '"1"', iCalUID: 'e@x', sequence: 2, kind: 'calendar#event', htmlLink: 'x' }
  expect(contentToCreate(events, { ...event, status: 'tentative', eventType: 'focusTime' })).toEqual({
    status: 'tentative',
    eventType: 'focusTime',
  })
  expect(contentToCreate(events, { ...event, status: 'confirmed', eventType: 'fromGmail' })).toEqual({})
})
