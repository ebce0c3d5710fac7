import { expect, it } from 'vitest'
import { eventField, eventFields, eventFieldsWith } from '#shared/facts/event-fields'
import { tableOf } from '#shared/wire/services'

const { fields } = tableOf('calendar').schemas['Event']!

it.each(Object.entries(eventFields))('%s is a field of events, with values that the service knows', (name, field) => {
  expect(fields[name]).toBeDefined()
  const { control, usual } = field
  if (control?.kind !== 'choice') return
  const values = control.options.map(({ value }) => value)
  expect(values).toEqual(fields[name]!.enum)
  expect(values).toContain(usual)
})

it('finds fields by what holds for them', () => {
  expect(eventFieldsWith(({ ofCopy = false }) => ofCopy).sort()).toEqual(['colorId', 'transparency', 'visibility'])
  expect(eventField('toString')).toBeUndefined()
})
