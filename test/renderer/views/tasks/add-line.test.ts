import { extrasLine, repeatWords } from '#shared/domain/task-notes'
import { describe, expect, it } from 'vitest'
import { extrasOf } from '#shared/domain/quick-add/task-line'
import { pastedLines, readLine, tooManyPasted } from '../../../../src-renderer/views/tasks/add-line'
import { taskProblem } from '../../../../src-renderer/views/tasks/limits'

// Monday 13 July 2026.
const context = {
  now: Date.parse('2026-07-13T10:00:00+02:00'),
  zone: 'Europe/Berlin',
  lists: [
    { id: 'home', name: 'Home' },
    { id: 'work', name: 'Work and travel' },
  ],
}
const day = (due: number | null): string | null => (due === null ? null : new Date(due).toISOString().slice(0, 10))

describe('the new task line', () => {
  it.each([
    ['Call the printer fri', 'Call the printer', '2026-07-17'],
    ['Call the printer by friday', 'Call the printer', '2026-07-17'],
    ['Call the printer due friday', 'Call the printer', '2026-07-17'],
    ['Book hotel 14 aug', 'Book hotel', '2026-08-14'],
    ['Book hotel fri 14 aug', 'Book hotel', '2026-08-14'],
    ['Pay rent tomorrow', 'Pay rent', '2026-07-14'],
    ['Send plan in 2 weeks', 'Send plan', '2026-07-27'],
    ['Send plan 2026-09-01', 'Send plan', '2026-09-01'],
    ['Send plan at Café Nord friday', 'Send plan at Café Nord', '2026-07-17'],
    ['Send plan end of month', 'Send plan', '2026-07-31'],
    ['Steuer machen bis übermorgen', 'Steuer machen', '2026-07-15'],
    ['Steuer machen bis zum 31.7.', 'Steuer machen', '2026-07-31'],
    ['Steuer machen bis spätestens Freitag', 'Steuer machen', '2026-07-17'],
    ['Buy presents by Christmas', 'Buy presents', '2026-12-25'],
    ['Karten schreiben bis Silvester', 'Karten schreiben', '2026-12-31'],
    ['Steuer machen übermorgen', 'Steuer machen', '2026-07-15'],
    ['Steuer machen am 3. Dezember', 'Steuer machen', '2026-12-03'],
    ['Pay by card friday', 'Pay by card', '2026-07-17'],
    ['Read chapter 5 tomorrow', 'Read chapter 5', '2026-07-14'],
  ])('reads the day of “%s”', (line, title, due) => {
    const read = readLine(line, context)
    expect(day(read.due)).toBe(due)
    if (due) expect([read.title, read.problem]).toEqual([title, null])
  })

  it.each([
    'Read chapter 5.6',
    'Buy 3',
    'Ask Mina what may',
    'friday',
    'Plan for 2027',
    'Order 12 bottles',
    'First draft',
  ])('keeps “%s” as text', (line) => {
    expect(readLine(line, context)).toEqual({ title: line, due: null, words: '', problem: null })
  })

  it('uses the list you name', () => {
    expect(readLine('Water plants tomorrow /Home', context)).toMatchObject({ title: 'Water plants', list: 'home' })
    expect(readLine('Water plants /work', context)).toMatchObject({ title: 'Water plants', list: 'work', due: null })
    expect(readLine('Water plants /nowhere', context).problem).toMatch(/No list matches “\/nowhere”/)
  })

  it.each([
    ['Water plants every monday', 'Water plants', 'every week on Mon', '2026-07-13'],
    ['Water plants weekly', 'Water plants', 'every week on Mon', '2026-07-13'],
    ['Blumen gießen jeden Montag', 'Blumen gießen', 'every week on Mon', '2026-07-13'],
    ['Stretch every weekday', 'Stretch', 'every weekday', '2026-07-13'],
    ['Pay rent every month starting 1 August', 'Pay rent', 'every month on 1', '2026-08-01'],
    ['Clean filter every 2 weeks on Mon and Thu', 'Clean filter', 'every 2 weeks on Mon, Thu', '2026-07-13'],
    ['Backup daily /Home', 'Backup', 'every day', '2026-07-13'],
    ['Stretch daily at 15:00', 'Stretch', 'every day', '2026-07-13'],
    ['Stretch daily at 9:30', 'Stretch', 'every day', '2026-07-14'],
    ['Water plants every monday at 9:30', 'Water plants', 'every week on Mon', '2026-07-20'],
  ])('reads how a task repeats, if it may: %s', (line, title, repeat, due) => {
    const read = readLine(line, context)
    expect([read.title, read.repeat && repeatWords(read.repeat), read.problem]).toEqual([title, repeat, null])
    expect(new Date(read.due!).toISOString().slice(0, 10)).toBe(due)
  })

  it.each([
    ['call Jo #work at 3pm', 'call Jo', '2026-07-13', 15, ['#work']],
    ['Call Jo at 9:30', 'Call Jo', '2026-07-14', 9.5, undefined],
    ['Call Jo friday 15:00 #work #Q3-plan', 'Call Jo', '2026-07-17', 15, ['#work', '#Q3-plan']],
    ['Call Jo by friday at noon /Home', 'Call Jo', '2026-07-17', 12, undefined],
    ['Call Jo at 9 tonight', 'Call Jo', '2026-07-13', 21, undefined],
    ['Anrufen morgen um 15 Uhr #büro', 'Anrufen', '2026-07-14', 15, ['#büro']],
    ['#work Call  #urgent, Jo (#home)', 'Call, Jo', null, undefined, ['#work', '#urgent', '#home']],
    ['#work, #home', '#work #home', null, undefined, undefined],
    ['Fix #main.ts (#work) friday', 'Fix #main.ts', '2026-07-17', undefined, ['#work']],
    ['Fix #12 and C# for #Work #work', 'Fix #12 and C# for', null, undefined, ['#Work']],
  ])('reads times and tags: %s', (line, title, due, hours, tags) => {
    const read = readLine(line, context)
    expect([read.problem, read.title, day(read.due), read.time, read.tags]).toEqual([
      ...[null, title, due],
      hours === undefined ? undefined : hours * 60,
      tags,
    ])
  })

  it.each([
    ['Call Jo !', 'Call Jo', true],
    ['! Call Jo friday', 'Call Jo', true],
    ['Call Jo !!! at 3pm', 'Call Jo', true],
    ['Call Jo !1 #work', 'Call Jo', true],
    ['Call Jo !high by friday', 'Call Jo', true],
    ['Anrufen !wichtig morgen', 'Anrufen', true],
    ['Call Jo!', 'Call Jo!', undefined],
    ['Call Jo !important!', 'Call Jo !important!', undefined],
    ['Read a != b', 'Read a != b', undefined],
    ['!', '!', undefined],
  ])('reads marks of important tasks: %s', (line, title, important) => {
    const read = readLine(line, context)
    expect([read.problem, read.title, read.important]).toEqual([null, title, important])
  })

  it('reads a time with repetition', () => {
    const read = readLine('Water plants every monday at 8am ! #home', context)
    expect(extrasLine(extrasOf(read))).toBe('↻ every week on Mon · at 08:00 · ! important · #home')
    expect([read.title, day(read.due)]).toEqual(['Water plants', '2026-07-20'])
  })

  it('asks about repetition that a task can’t hold', () => {
    for (const line of ['Report first Monday of every month', 'Stretch daily 5 times', 'Stretch daily until 1 August'])
      expect(readLine(line, context).problem).not.toBeNull()
  })

  it.each(['Take out trash every Tuesday evening', 'Gym every morning'])('asks for the time: %s', (line) => {
    expect(readLine(line, context).problem).toMatch(/^“.*” isn’t an exact time/)
  })

  it.each([
    ['Water plants every first monday', /Tasks can’t repeat “every first monday”/],
    ['Blumen gießen jeden ersten Montag', /Tasks can’t repeat “jeden ersten Montag”/],
    ['Call Mina tomorrow 9:00 to 10:00', /Use one time/],
    ['Call Mina tomorrow 9:00 and 11:00', /Use one time/],
    ['Call Mina at 9:00 London time', /Use one time/],
    ['Call Mina tomorrow at 5', /morning or afternoon. Enter 5am or 5pm/],
    ['Call Mina in 20 minutes', /“in 20 minutes” isn’t an exact time/],
    ['Call Mina at 3pm for 30 min #work', /Tasks don’t have a duration. Remove “for 30 min”/],
    ['Call Mina friday remind me 10 min before', /don’t have their own reminders|Couldn’t understand/],
    ['Trip 3-5 August', /one due date/],
    ['Send plan friday before noon', /Couldn’t understand/],
    ['Send plan next tuesday', /Enter the date/],
    ['Send plan 3/4', /could be two dates/],
    ['Send plan this week', /“this week” isn’t a day/],
    ['Send plan until 31 July', /one due date/],
    ['Send plan tonight', /“tonight” isn’t an exact time/],
    ['Send plan next week', /“next week” isn’t a day/],
    ['Send plan friday afternoon', /“afternoon” isn’t an exact time/],
  ])("explains what a task can't hold, and keeps the words: %s", (line, problem) => {
    const read = readLine(line, context)
    expect([read.title, read.due]).toEqual([line, null])
    expect(read.problem).toMatch(problem)
    expect(readLine(line, context, true)).toEqual({ title: line, due: null, words: '', problem: null })
  })

  it("isn't parsed when it's too long, and keeps its words", () => {
    const line = 'Send plan friday '.repeat(65_536).trim()
    // Parsing all of it would exceed the test's timeout.
    const read = readLine(line, context)
    expect([read.title, read.due]).toEqual([line, null])
    expect(read.problem).toBe(
      'A line can have up to 2,048 characters, and this one has 1,114,111. Shorten it, and keep the rest for the notes',
    )
  })

  it('is split into tasks at line breaks, without list bullets', () => {
    expect(pastedLines('- Alpha\r\n* Beta tomorrow\n\n  3) Gamma\n[ ] Delta\n5 apples')).toEqual([
      'Alpha',
      'Beta tomorrow',
      'Gamma',
      'Delta',
      '5 apples',
    ])
  })
})

describe('pasted lines', () => {
  it('become tasks up to a number of lines and characters, with a message beyond it', () => {
    expect(tooManyPasted(Array<string>(500).fill('Call Mina'))).toBeUndefined()
    expect(tooManyPasted(pastedLines('\n- Call'.repeat(501)))).toBe(
      'Couldn’t add the tasks. You can paste up to 500 lines with 65,536 characters at once, and this text has 501 lines with 2,004 characters. Paste it in parts.',
    )
    expect(tooManyPasted(Array<string>(400).fill('x'.repeat(200)))).toMatch(
      /this text has 400 lines with 80,000 characters/,
    )
  })
})

describe("a task's limits", () => {
  it("are the service's, and are checked before sending", () => {
    expect(taskProblem('Task', { title: 'x'.repeat(1024) })).toBeUndefined()
    expect(taskProblem('Task', { title: 'x'.repeat(1025) })).toMatch(/at most 1,024 characters \(now 1,025\)/)
    expect(taskProblem('Task', { notes: 'x'.repeat(8193) })).toMatch(/8,192/)
    expect(taskProblem('TaskList', { title: 'x'.repeat(1025) })).toMatch(/1,024/)
  })
})
