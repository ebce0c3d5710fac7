import { expect, it } from 'vitest'
import { appForFile } from '../helpers/for-file'

/** The services, where every calendar is read-only. */
const { app } = appForFile(() => ({
  fetch: async (...request) => {
    const answer = await fetch(...request)
    if (!request[0].includes('/calendarList')) return answer
    return Response.json(
      JSON.parse((await answer.text()).replaceAll(/"accessRole":\s*"\w+"/g, '"accessRole":"reader"')),
    )
  },
}))

it('importing events says why no calendar takes them', async () => {
  const { page } = app
  const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'BEGIN:VEVENT', 'UID:fair', 'SUMMARY:Media fair']
  lines.push('DTSTART:20260612T090000Z', 'DTEND:20260612T100000Z', 'END:VEVENT', 'END:VCALENDAR')
  await page.evaluate((text) => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File([text], 'fair.ics'))
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
  }, lines.join('\r\n'))
  const dialog = page.getByRole('dialog', { name: 'Import fair.ics' })
  const submit = dialog.getByRole('button', { name: 'Import 1 event' })
  await submit.waitFor()
  await dialog.getByText('You don’t have a calendar you can edit. Add one in the sidebar first.').waitFor()
  await expect.poll(() => submit.isDisabled()).toBe(true)
})
