import { expect, it } from 'vitest'
import { settingWords } from '../../../../src-renderer/views/settings/service-settings'

it.each([
  ['dateFieldOrder', 'DMY', 'Date order', 'Day, month, year'],
  ['defaultEventLength', '30', 'Default event duration', '30 min'],
  ['format24HourTime', 'true', '24-hour clock', 'On'],
  ['hideWeekends', 'false', 'Hide weekends', 'Off'],
  ['locale', 'pt-BR', 'Language', 'Brazilian Portuguese'],
  ['timezone', 'America/New_York', 'Time zone', 'America/New York'],
  ['weekStart', '1', 'Week starts on', 'Monday'],
])('says in words what %s=%s means', (id, value, label, words) => {
  expect(settingWords(id, value)).toEqual({ name: label, value: words })
})

it.each([
  ['dateFieldOrder', 'DYM', 'Date order'],
  ['locale', 'not a language', 'Language'],
  ['weekStart', '9', 'Week starts on'],
  ['dateFieldOrder', 'constructor', 'Date order'],
  ['showNewThing', 'perhaps', 'Show new thing'],
])('keeps a value that it can’t read: %s=%s', (id, value, label) => {
  expect(settingWords(id, value)).toEqual({ name: label, value })
})

it('takes no names from the prototype of objects', () => {
  expect(settingWords('constructor', 'toString').value).toBe('toString')
})
