import { describe, expect, it } from 'vitest'
import { offsetClock, offsetTo } from '#shared/time/clock'
import { violationsByTheme } from '../helpers/axe'
import { atRest, messages, nothingPending, pasteText, runCommand } from '../helpers/page'
import { asking } from '../helpers/sign-in'
import { appForFile } from '../helpers/for-file'

// Two days before the clock change in Berlin.
const clock = offsetClock(offsetTo(Date.parse('2027-03-26T10:00:00+01:00')))
const { app } = appForFile(() => ({ clock, args: ['--seed', 'empty'] }))

const line = () => app.page.locator('#quick-line')
const reading = () => app.page.locator('#quick-reading')

async function onService(title: string) {
  const primary = { accountId: 'sandbox', collection: 'events', parent: 'alex.morgan@flightplan.example' } as const
  const { records } = await asking(app.page, 'sync/pull', { ...primary, cursor: null, page: null })
  return records.map(({ value }) => value).find((value) => value?.['summary'] === title)
}

describe('quick add in the calendar', () => {
  it('stores the times it shows, also across a clock change', async () => {
    await app.page.keyboard.press('q')
    await line().fill('Night deploy 28 Mar 2027 01:00-04:00')
    await reading().getByText('Sunday 28 March, 01:00 to 04:00').waitFor()
    await app.page.keyboard.press('Enter')
    await app.page.getByText('“Night deploy” created', { exact: true }).waitFor()
    await nothingPending(app.page)
    expect(await onService('Night deploy')).toMatchObject({
      start: { dateTime: '2027-03-28T01:00:00+01:00' },
      end: { dateTime: '2027-03-28T04:00:00+02:00' },
    })
  })

  it('suggests lines for one that raises a question, and creates the chosen one', async () => {
    await app.page.keyboard.press('q')
    await line().fill('Lunch 12')
    const suggestions = reading().getByRole('group', { name: 'Suggestions' })
    await suggestions.getByRole('button', { name: /^12:00/ }).waitFor()
    await line().press('Tab')
    await app.page.keyboard.press('Enter')
    await expect.poll(() => line().inputValue()).toBe('Lunch 12:00')
    expect(await line().evaluate((field) => field === document.activeElement)).toBe(true)
    await app.page.keyboard.press('Enter')
    await app.page.getByText('“Lunch” created', { exact: true }).waitFor()
  })

  it('offers long answers without scrolling sideways', async () => {
    const words = 'on the last Friday of the month'
    await app.page.keyboard.press('q')
    await line().fill(`Board meeting with everyone from Brightwell Tea ${words} at 3pm`)
    await reading()
      .getByRole('button', { name: `Keep “${words}” in the title` })
      .waitFor()
    const beyond = (): Promise<number> =>
      reading().evaluate((box) => {
        let most = 0
        for (let one: Element | null = box; one && !one.matches('[role="dialog"], dialog'); one = one.parentElement)
          most = Math.max(most, one.scrollWidth - one.clientWidth)
        return most
      })
    await expect.poll(beyond).toBe(0)
    await line().fill('')
    await app.page.keyboard.press('Escape')
  })

  it('marks words where they are in a line that is longer than the field', async () => {
    await app.page.keyboard.press('q')
    await line().fill('')
    await line().pressSequentially(`Board meeting with everyone from Brightwell Tea and their agency tomorrow 15:00`)
    const at = (field: Element): number => field.scrollLeft
    expect(await line().evaluate(at)).toBeGreaterThan(0)
    await expect.poll(() => app.page.locator('.line .under').evaluate(at)).toBe(await line().evaluate(at))
    await line().press('Home')
    await expect.poll(() => app.page.locator('.line .under').evaluate(at)).toBe(0)
    await line().fill('')
    await app.page.keyboard.press('Escape')
  })

  it("highlights words it can't parse, asks about them, and keeps your text", async () => {
    const typed = 'Standup every weekday 9:00 until March'
    await app.page.keyboard.press('q')
    await line().fill(typed)
    await reading().getByText('Couldn’t understand “until March”').waitFor()
    await expect.poll(() => app.page.locator('.under .question').allTextContents()).toEqual(['until March'])
    await expect.poll(() => app.page.getByRole('button', { name: 'Create' }).isDisabled()).toBe(true)
    await app.page.keyboard.press('Enter')
    await expect.poll(() => line().inputValue()).toBe(typed)
    await line().fill('Call Tokyo 9am Tokyo time on 30 March, remind me 1 hour before')
    await reading().getByText('09:00 in Tokyo').waitFor()
    await reading().getByText('1 h before').waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await app.page.emulateMedia({ colorScheme })
      await atRest(app.page)
      // The highlights are drawn below the field.
      expect(await line().evaluate((input) => getComputedStyle(input).backgroundColor)).toBe('rgba(0, 0, 0, 0)')
      const folder = process.env['FLIGHTPLAN_LOOK']
      if (folder) await app.page.screenshot({ path: `${folder}/reading-${colorScheme}.png` })
      await line().fill(typed)
      if (folder) await app.page.screenshot({ path: `${folder}/question-${colorScheme}.png` })
      await line().fill('Call Tokyo 9am Tokyo time on 30 March, remind me 1 hour before')
    }
    await app.page.keyboard.press('Escape')
    await line().waitFor({ state: 'detached' })
  })

  it('still has a line that was closed without adding it, selected, so that typing replaces it', async () => {
    await app.page.keyboard.press('q')
    await line().fill('Dinner with Mina fri')
    await app.page.keyboard.press('Escape')
    await line().waitFor({ state: 'detached' })
    await app.page.keyboard.press('q')
    await expect.poll(() => line().inputValue()).toBe('Dinner with Mina fri')
    await app.page.keyboard.type('Brunch sunday 11-12')
    await expect.poll(() => line().inputValue()).toBe('Brunch sunday 11-12')
    await app.page.keyboard.press('Enter')
    await app.page.getByText('“Brunch” created', { exact: true }).waitFor()
    await app.page.keyboard.press('q')
    await expect.poll(() => line().inputValue()).toBe('')
    await app.page.keyboard.press('Escape')
    await line().waitFor({ state: 'detached' })
  })
})

describe('the new task field', () => {
  it('is left with Escape in an empty list, so that the next letter is a shortcut', async () => {
    const { page } = app
    await page.keyboard.press('Control+2')
    const field = page.getByRole('textbox', { name: 'New task' })
    await field.waitFor()
    await page.getByRole('row').first().waitFor({ state: 'detached' })
    for (const key of ['c', 'Escape', 'c']) await page.keyboard.press(key)
    await page.keyboard.insertText('Only this')
    await expect.poll(() => field.inputValue()).toBe('Only this')
    await page.keyboard.press('Escape')
    await expect.poll(() => field.inputValue()).toBe('')
  })

  it('that is left before its task appears doesn’t keep the arrow keys from the tasks', async () => {
    const { page } = app
    await page.keyboard.press('Escape')
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('INPUT')
    await page.keyboard.press('c')
    await page.keyboard.insertText('Left at once')
    // In one task, so that the list is still empty when Escape arrives.
    await field().evaluate((input) => {
      for (const key of ['Enter', 'Escape'])
        input.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    })
    await page.getByRole('row', { name: /Left at once/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    const row = () => page.evaluate(() => document.activeElement?.closest('[role="row"]')?.textContent ?? '')
    await expect.poll(row).toContain('Left at once')
    await page.keyboard.press('Delete')
    await page.getByRole('row').first().waitFor({ state: 'detached' })
  })

  const field = () => app.page.getByRole('textbox', { name: 'New task' })

  it("explains what a task can't hold, and keeps the words as text on request", async () => {
    await app.page.keyboard.press('Control+2')
    await field().fill('Water plants first monday of every month')
    await app.page.getByText('Tasks can’t repeat').waitFor()
    await field().press('Enter')
    await expect.poll(() => field().inputValue()).toBe('Water plants first monday of every month')
    await field().press('Escape')
    await app.page.getByText('Tasks can’t repeat').waitFor({ state: 'detached' })
    await field().press('Enter')
    await app.page.getByText('Water plants first monday of every month').first().waitFor()
    await expect.poll(() => field().inputValue()).toBe('')
  })

  it('creates a task per pasted line and shows how many', async () => {
    await field().focus()
    await pasteText(app.page, 'Alpha\n- Beta tomorrow\n- Gamma')
    await app.page.getByText('3 tasks added').first().waitFor()
    for (const title of ['Alpha', 'Beta', 'Gamma']) await app.page.getByText(title, { exact: true }).first().waitFor()
    await expect.poll(() => field().inputValue()).toBe('')
    await app.page.getByRole('button', { name: 'Undo' }).click()
    for (const title of ['Alpha', 'Beta', 'Gamma'])
      await app.page.getByRole('checkbox', { name: title }).first().waitFor({ state: 'detached' })
  })

  it('still has its text after another view, and after a restart', async () => {
    await field().fill('Write to the landlo')
    await app.page.keyboard.press('Escape')
    await field().fill('Call the landlord')
    await app.page.keyboard.press('Control+1')
    await field().waitFor({ state: 'detached' })
    await app.page.keyboard.press('Control+2')
    await expect.poll(() => field().inputValue()).toBe('Call the landlord')
    await app.page.reload()
    await expect.poll(() => field().inputValue()).toBe('Call the landlord')
    await field().press('Enter')
    await app.page.getByText('Call the landlord').first().waitFor()
    await expect.poll(() => field().inputValue()).toBe('')
  })
})

describe('text from elsewhere', () => {
  const dialog = () => app.page.getByRole('dialog', { name: 'Add events and tasks' })
  const row = (text: string) => dialog().getByRole('listitem').filter({ hasText: text })
  const drop = (text: string, selector = 'main') =>
    app.page.evaluate(
      ({ text, selector }) => {
        const dataTransfer = new DataTransfer()
        dataTransfer.setData('text/plain', text)
        const target = document.querySelector(selector)!
        return ['dragover', 'drop'].map(
          (type) => !target.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })),
        )
      },
      { text, selector },
    )

  it('becomes events and tasks line by line, in one step', async () => {
    await runCommand(app.page, 'Go to Calendar')
    await atRest(app.page)
    expect(
      await drop(
        '- Dropped lunch 27 March 2027 12:00-13:00\n- Buy paper\n- Call Kim tomorrow\n- Rent every month 5pm every day',
      ),
    ).toEqual([true, true])
    await row('Dropped lunch').getByText('Saturday 27 March, 12:00 to 13:00').waitFor()
    await row('Buy paper').getByRole('radio', { name: 'Task' }).and(app.page.locator(':checked')).waitFor()
    await dialog().getByText('1 line can’t be added').waitFor()
    expect(await violationsByTheme(app.page)).toEqual([])
    await row('Call Kim').getByRole('radio', { name: 'Task' }).check({ force: true })
    await row('Call Kim').getByText('due Saturday 27 March').waitFor()
    await row('Buy paper').getByRole('radio', { name: 'Skip' }).check({ force: true })
    await dialog().getByRole('button', { name: 'Add 1 event and 1 task' }).click()
    await dialog().waitFor({ state: 'detached' })
    await messages(app.page).getByText('1 event and 1 task added').waitFor()
    await nothingPending(app.page)
    expect(await onService('Dropped lunch')).toMatchObject({ start: { dateTime: '2027-03-27T12:00:00+01:00' } })
    await messages(app.page).getByRole('button', { name: 'Undo' }).first().click()
    await nothingPending(app.page)
    await expect.poll(() => onService('Dropped lunch')).toBeUndefined()
  })

  it('that is pasted outside of a field does the same, and changes nothing if you cancel', async () => {
    await app.page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    await pasteText(app.page, 'Water the plants')
    await row('Water the plants').waitFor()
    await app.page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    await app.page.keyboard.press('q')
    await pasteText(app.page, 'Lunch')
    await expect.poll(() => dialog().count()).toBe(0)
    await app.page.keyboard.press('Escape')
  })

  it('that is the address of a calendar asks to subscribe', async () => {
    await drop('webcal://example.org/team.ics')
    const asked = app.page.getByRole('dialog', { name: 'Subscribe to a calendar on example.org?' })
    await asked.getByRole('button', { name: 'Cancel' }).click()
    await drop('x\n'.repeat(300))
    await messages(app.page).getByText('This text is too long. Add up to 200 lines at once.').waitFor()
  })
})
