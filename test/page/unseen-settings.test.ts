import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import { appForFile } from '../helpers/for-file'
import { HeldAnswers } from '../helpers/held-answers'
import { choose } from '../helpers/page'

const network = new HeldAnswers()
const { page } = appForFile(() => ({
  args: ['--seed', 'empty'],
  size: { width: 1280, height: 900 },
  fetch: network.fetch,
}))

/** Runs an operation on the service as another client of the same user. */
async function elsewhere(operation: string, params: JsonObject, body?: JsonObject): Promise<JsonObject> {
  const order = JSON.stringify({ person: 'you', operation, params, body })
  const answer = await page.evaluate((text) => window.flightplan.ask('sandbox/as', JSON.parse(text) as never), order)
  if (!answer.ok) throw new Error(answer.fault.message)
  return (answer.value['body'] ?? answer.value) as JsonObject
}
/** Reads what others changed. Fields keep keys to themselves. */
const read = (): Promise<void> => page.locator('body').dispatchEvent('keydown', { key: 'F5' })
/** Waits for the question which of two values is right. */
async function asked(mine: string, theirs: string): Promise<void> {
  await page.keyboard.press('Control+6')
  const card = page.getByRole('main').getByRole('listitem').filter({ hasText: mine }).first()
  await card.getByText(theirs).first().waitFor()
}

it('a calendar’s name that someone changed in another window while it was typed is asked about', async () => {
  const calendarId = String((await elsewhere('calendar.calendars.insert', {}, { summary: 'Team' }))['id'])
  await read()
  const item = (name: string): Locator => page.getByRole('listitem').filter({ hasText: name })
  await item('Team').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Name and color…' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Name of mine')
  await elsewhere('calendar.calendarList.patch', { calendarId }, { summaryOverride: 'Name of theirs' })
  await read()
  await page.getByText('Name of theirs').first().waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await asked('Name of mine', 'Name of theirs')
})

it('a calendar that its owner renamed elsewhere shows its new name after a sync', async () => {
  const calendarId = String((await elsewhere('calendar.calendars.insert', {}, { summary: 'Plans' }))['id'])
  await page.keyboard.press('Control+1')
  await read()
  await page.getByRole('listitem').filter({ hasText: 'Plans' }).waitFor()
  await elsewhere('calendar.calendars.patch', { calendarId }, { summary: 'Campaign plans' })
  await read()
  await page.getByRole('listitem').filter({ hasText: 'Campaign plans' }).waitFor()
})

it('an own name of a calendar is told from the one that everyone sees, and can be given up', async () => {
  const calendarId = String((await elsewhere('calendar.calendars.insert', {}, { summary: 'Venues' }))['id'])
  await elsewhere('calendar.calendarList.patch', { calendarId }, { summaryOverride: 'Halls' })
  await page.keyboard.press('Control+,')
  await read()
  const main = page.getByRole('main')
  await main.getByRole('button', { name: 'Halls' }).click()
  const field = main.getByLabel('Name', { exact: true })
  await expect.poll(() => field.inputValue()).toBe('Venues')
  await main.getByText('Everyone with access sees this name. You see “Halls”').waitFor()
  await field.fill('All venues')
  await field.press('Enter')
  await expect.poll(() => field.inputValue()).toBe('All venues')
  await page.keyboard.press('Control+1')
  await page.getByRole('listitem').filter({ hasText: 'Halls' }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Name and color…' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('All venues')
  await page.keyboard.press('Enter')
  await page.getByRole('listitem').filter({ hasText: 'All venues' }).waitFor()
  const listed = async (): Promise<unknown> =>
    (await elsewhere('calendar.calendarList.get', { calendarId }))['summaryOverride']
  await expect.poll(listed).toBeUndefined()
})

it('a calendar is deleted after a question, and the keyboard goes on to the next one', async () => {
  for (const summary of ['Xylophones', 'Yachts']) await elsewhere('calendar.calendars.insert', {}, { summary })
  await page.keyboard.press('Control+,')
  await read()
  const main = page.getByRole('main')
  const head = (name: string): Locator => main.getByRole('button', { name })
  await head('Xylophones').click()
  const remove = main.getByRole('button', { name: 'Delete calendar…' })
  // The calendar's own record is read after the list of calendars.
  await expect.poll(() => remove.isEnabled()).toBe(true)
  await remove.press('Enter')
  await main.getByText('This deletes “Xylophones” with all its events, for everyone with access.').waitFor()
  await page.keyboard.press('Enter')
  await head('Xylophones').waitFor({ state: 'detached' })
  await expect.poll(() => head('Yachts').evaluate((one) => one === document.activeElement)).toBe(true)
})

it('default reminders and emails of a calendar can be changed', async () => {
  const calendarId = String((await elsewhere('calendar.calendars.insert', {}, { summary: 'Rehearsals' }))['id'])
  await page.keyboard.press('Control+,')
  await read()
  const main = page.getByRole('main')
  await main.getByRole('button', { name: 'Rehearsals' }).click()
  const reminders = main.getByRole('region', { name: 'Default reminders' })
  const listed = async (field: string): Promise<unknown> =>
    (await elsewhere('calendar.calendarList.get', { calendarId }))[field]
  await reminders.getByRole('button', { name: 'Add a reminder' }).press('Enter')
  await expect.poll(() => listed('defaultReminders')).toEqual([{ method: 'popup', minutes: 10 }])
  const time = reminders.getByRole('textbox', { name: 'Time before event' })
  await time.fill('45')
  await time.press('Enter')
  await expect.poll(() => listed('defaultReminders')).toEqual([{ method: 'popup', minutes: 45 }])
  const mails = main.getByRole('region', { name: 'Emails to you' })
  await mails.getByRole('checkbox', { name: 'Daily agenda' }).press(' ')
  const agenda = { notifications: [{ type: 'agenda', method: 'email' }] }
  await expect.poll(() => listed('notificationSettings')).toEqual(agenda)
  await reminders.getByRole('button', { name: 'Remove reminder' }).press('Enter')
  await expect.poll(() => listed('defaultReminders')).toEqual([])
})

it('all events of the primary calendar are deleted after a question', async () => {
  const calendarId = 'primary'
  const at = (dateTime: string): JsonObject => ({ dateTime })
  const event = { summary: 'Dress fitting', start: at('2026-03-02T10:00:00Z'), end: at('2026-03-02T11:00:00Z') }
  await elsewhere('calendar.events.insert', { calendarId }, event)
  await page.keyboard.press('Control+,')
  await read()
  const main = page.getByRole('main')
  const head = main.getByRole('button', { name: /primary calendar/ })
  await head.waitFor()
  if ((await head.getAttribute('aria-expanded')) === 'false') await head.click()
  const clear = main.getByRole('button', { name: 'Delete all events…' })
  await expect.poll(() => clear.isEnabled()).toBe(true)
  await clear.press('Enter')
  await main.getByText('Undo brings them back only until the deletion is sent.').waitFor()
  await page.keyboard.press('Enter')
  const left = async (): Promise<unknown> => (await elsewhere('calendar.events.list', { calendarId }))['items']
  await expect.poll(left).toEqual([])
  await expect.poll(() => clear.evaluate((one) => one === document.activeElement)).toBe(true)
})

it.each([
  ['mina', 'Change events', 'Change events', 'See only free/busy'],
  ['jo', 'No access', 'You deleted the sharing rule', 'but someone else changed it. Delete it anyway?'],
] as const)(
  'a role of %s that someone else changed before “%s” was saved is asked about',
  async (who, choice, mine, theirs) => {
    await page.keyboard.press('Control+,')
    const head = page.getByRole('button', { name: /primary calendar/ })
    await head.waitFor()
    if ((await head.getAttribute('aria-expanded')) === 'false') await head.click()
    const calendarId = 'primary'
    const share = (name: string, role: string): Promise<unknown> =>
      elsewhere('calendar.acl.insert', { calendarId }, { scope: { type: 'user', value: name }, role })
    const guest = `${who}@flightplan.example`
    await share(guest, 'reader')
    await read()
    await choose(page.getByRole('combobox', { name: `Role of ${guest}` }), choice)
    await elsewhere('calendar.acl.patch', { calendarId, ruleId: `user:${guest}` }, { role: 'freeBusyReader' })
    const next = `after-${guest}`
    await share(next, 'reader')
    await read()
    await page.getByRole('combobox', { name: `Role of ${next}` }).waitFor()
    await page.getByRole('button', { name: 'Save sharing' }).click()
    await asked(mine, theirs)
  },
)

it('a role that was picked stays when the window reloads, and someone else’s change of it is still asked about', async () => {
  const open = async (): Promise<Locator> => {
    await page.keyboard.press('Control+,')
    const head = page.getByRole('button', { name: /primary calendar/ })
    await head.waitFor()
    if ((await head.getAttribute('aria-expanded')) === 'false') await head.click()
    return page.getByRole('combobox', { name: 'Role of anna@flightplan.example' })
  }
  const calendarId = 'primary'
  const user = 'anna@flightplan.example'
  await elsewhere('calendar.acl.insert', { calendarId }, { scope: { type: 'user', value: user }, role: 'reader' })
  await read()
  await choose(await open(), 'Change events')
  await elsewhere('calendar.acl.patch', { calendarId, ruleId: `user:${user}` }, { role: 'freeBusyReader' })
  await page.reload()
  const combobox = await open()
  await expect.poll(() => combobox.inputValue()).toBe('Change events')
  await page.getByText('can see and change all events').waitFor()
  await read()
  await page.getByRole('button', { name: 'Save sharing' }).click()
  await asked('Change events', 'See only free/busy')
})

describe('a note that is typed while someone else', () => {
  /** Types a note of a new task. @returns the task as parameters of the service */
  async function typed(title: string): Promise<{ tasklist: string; task: string }> {
    await page.keyboard.press('Control+2')
    const lists = (await elsewhere('tasks.tasklists.list', {}))['items'] as JsonObject[]
    const tasklist = String(lists[0]!['id'])
    const task = String((await elsewhere('tasks.tasks.insert', { tasklist }, { title }))['id'])
    await read()
    await page.getByRole('treegrid').getByText(title).click()
    await notes().fill('Bring the samples')
    return { tasklist, task }
  }
  const notes = (): Locator => page.getByRole('complementary', { name: 'Task', exact: true }).getByLabel('Notes')

  it('moves the task is saved there', async () => {
    const { tasklist, task } = await typed('Pack')
    const destinationTasklist = String((await elsewhere('tasks.tasklists.insert', {}, { title: 'Trip' }))['id'])
    await elsewhere('tasks.tasks.move', { tasklist, task, destinationTasklist })
    await read()
    const list = page.getByRole('complementary', { name: 'Task', exact: true }).getByRole('combobox', { name: 'List' })
    await expect.poll(() => list.inputValue()).toBe('Trip')
    await expect.poll(() => notes().inputValue()).toBe('Bring the samples')
    await page.keyboard.press('Escape')
    const note = async (): Promise<unknown> =>
      (await elsewhere('tasks.tasks.get', { tasklist: destinationTasklist, task }))['notes']
    await expect.poll(note).toBe('Bring the samples')
  })

  it('deletes the task stays, and says so', async () => {
    await elsewhere('tasks.tasks.delete', await typed('Unpack'))
    await read()
    await page.getByText('This task was deleted').waitFor()
    await expect.poll(() => notes().inputValue()).toBe('Bring the samples')
    await page.keyboard.press('Escape')
    await notes().waitFor({ state: 'detached' })
  })
})

describe('a title that is typed in its row while someone else', () => {
  const field = (): Locator => page.getByRole('treegrid').getByRole('textbox', { name: 'Title' })
  const inRow = async (name: string): Promise<{ tasklist: string; task: string }> => {
    await page.keyboard.press('Control+2')
    const lists = (await elsewhere('tasks.tasklists.list', {}))['items'] as JsonObject[]
    const tasklist = String(lists[0]!['id'])
    const task = String((await elsewhere('tasks.tasks.insert', { tasklist }, { title: name }))['id'])
    await elsewhere('tasks.tasks.insert', { tasklist }, { title: `Before ${name}` })
    await read()
    await page.getByRole('treegrid').getByText(`Before ${name}`).waitFor()
    await page.getByRole('treegrid').getByText(name, { exact: true }).click()
    await page.keyboard.press('F2')
    await field().fill(`${name} today`)
    return { tasklist, task }
  }
  const title = async (place: JsonObject): Promise<unknown> => (await elsewhere('tasks.tasks.get', place))['title']
  const hasFocus = (): Promise<boolean> => field().evaluate((input) => input === document.activeElement)

  it('moves the task is saved there, and the next row has the focus', async () => {
    const { tasklist, task } = await inRow('Stow')
    const destinationTasklist = String((await elsewhere('tasks.tasklists.insert', {}, { title: 'Boat' }))['id'])
    await elsewhere('tasks.tasks.move', { tasklist, task, destinationTasklist })
    await read()
    const list = page.getByRole('complementary', { name: 'Task', exact: true }).getByRole('combobox', { name: 'List' })
    await expect.poll(() => list.inputValue()).toBe('Boat')
    await expect.poll(hasFocus).toBe(true)
    await expect.poll(() => field().inputValue()).toBe('Stow today')
    await page.keyboard.press('Enter')
    await expect.poll(() => title({ tasklist: destinationTasklist, task })).toBe('Stow today')
    const row = page.getByRole('row', { name: /^Before Stow/ })
    await expect.poll(() => row.evaluate((element) => element === document.activeElement)).toBe(true)
  })

  it('completes the task is saved', async () => {
    const place = await inRow('Splice')
    await elsewhere('tasks.tasks.patch', place, { status: 'completed' })
    await read()
    await page.getByRole('treegrid').getByRole('checkbox', { name: 'Reopen Splice' }).waitFor({ state: 'attached' })
    await expect.poll(hasFocus).toBe(true)
    await page.keyboard.press('Enter')
    await expect.poll(() => title(place)).toBe('Splice today')
  })

  it('deletes the task stays, and says so', async () => {
    await elsewhere('tasks.tasks.delete', await inRow('Sand'))
    await read()
    await page.getByRole('complementary', { name: 'Task', exact: true }).waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await page.getByText('This task was deleted, so').waitFor()
    await expect.poll(() => field().inputValue()).toBe('Sand today')
    await page.keyboard.press('Escape')
    await field().waitFor({ state: 'detached' })
  })

  it('changes nothing is saved when another view opens', async () => {
    const place = await inRow('Scrub')
    await page.keyboard.press('Control+1')
    await expect.poll(() => title(place)).toBe('Scrub today')
  })
})

it('a list that someone else deletes while it is shown is named', async () => {
  const tasklist = String((await elsewhere('tasks.tasklists.insert', {}, { title: 'Errands' }))['id'])
  await page.keyboard.press('Control+2')
  await read()
  await page.getByRole('complementary').getByText('Errands').click()
  await page.getByRole('heading', { name: 'Errands' }).waitFor()
  await elsewhere('tasks.tasklists.delete', { tasklist })
  await read()
  await page.getByText('“Errands” was deleted elsewhere').first().waitFor()
})

it('the name of a new calendar keeps its field while the service creates it', async () => {
  await page.keyboard.press('Control+,')
  network.hold(/\/calendars$/)
  await page.getByRole('button', { name: 'New calendar', exact: true }).click()
  await expect.poll(() => network.waiting).toBe(1)
  const name = page.getByRole('main').getByLabel('Name', { exact: true })
  await expect.poll(() => name.evaluate((field) => field === document.activeElement)).toBe(true)
  await page.keyboard.type('Name in progress')
  network.release()
  await page.getByRole('button', { name: /^New calendar yours Synced/ }).waitFor()
  await page.keyboard.type(' here')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^Name in progress here yours/ }).waitFor()
})

it('an unfinished address to share a new calendar with stays when the service created it', async () => {
  await page.keyboard.press('Control+,')
  network.hold(/\/calendars$/)
  await page.getByRole('button', { name: 'New calendar', exact: true }).click()
  await expect.poll(() => network.waiting).toBe(1)
  await page.getByLabel('Share with').fill('colleague@')
  network.release()
  const head = page.getByRole('button', { name: /^New calendar yours Synced/ })
  await head.waitFor()
  await page.reload()
  await page.keyboard.press('Control+,')
  await head.click()
  await expect.poll(() => page.getByLabel('Share with').inputValue()).toBe('colleague@')
})

it.each([
  ['Recent activity', 'Go to Sync'],
  ['Month view', 'Go to Calendar'],
])('%s is found from another view', async (words, title) => {
  await page.keyboard.press('Control+2')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search and commands' }).fill(words)
  await page.getByRole('option', { name: new RegExp(`^${title}`) }).waitFor()
  await page.keyboard.press('Escape')
})

it('the time zone setting is found from every view', async () => {
  await page.keyboard.press('Control+1')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search and commands' }).fill('Time zone')
  await page.getByRole('option', { name: /^Settings: Appearance and time/ }).click()
  await page.getByRole('main', { name: 'Settings' }).getByText('Time zone', { exact: true }).first().waitFor()
})
