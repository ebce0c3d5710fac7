import { describe, expect, it } from 'vitest'
import { currentLabel, currentText } from '#shared/former-words'

describe('labels of older versions are shown in current words', () => {
  it.each([
    ['Take back: Move *Stand-up* to Tue 14:00', 'Revert: Move *Stand-up* to Tue 14:00'],
    ['Take *Spring* out of the archive', 'Unarchive *Spring*'],
    ['Take back: Take 12 placements out of the archive', 'Revert: Unarchive 12 placements'],
    ['Empty 2 placements: placement group', 'Clear 2 placements: placement group'],
    ['Colour *Family*', 'Color *Family*'],
    ['Duplicate *Spring* with 44 records of it', 'Duplicate *Spring* and 44 records in it'],
    ['Change *Weekly: all*: days', 'Change date range of *Weekly: all*'],
  ])('%s', (former, current) => {
    expect(currentLabel(former)).toBe(current)
    expect(currentLabel(current)).toBe(current)
  })

  it.each(['Change *Home page*: name', 'Add *Take back: the tickets*', 'Rename list to *Colour*', 'Take out'])(
    '%s stays',
    (label) => expect(currentLabel(label)).toBe(label),
  )
})

describe('outcomes and alerts of older versions are shown in current words', () => {
  it.each([
    ['Kept; the rows do not add up to the totals', 'Complete, but rows don’t match the report totals'],
    [
      'Kept; it was asked for twice, as the service did not say whether it had begun',
      'Complete. Requested twice, because the first request may not have arrived',
    ],
    [
      'The file has 9 rows where the service said 1,200. It was fetched twice. Run the report again.',
      'The file has 9 rows instead of 1,200. A second download didn’t help. Run the report again.',
    ],
    [
      'The folder /a (b)/c is not there. The export waits; the file of the run is kept here until it is written.',
      'Can’t find the folder /a (b)/c. The results are saved, and Flightplan will try the export again.',
    ],
    ['1,200 at the service, 3 refused, 9 to be sent', '1,200 accepted, 3 rejected, 9 pending'],
    ['Taken back before it was sent', 'Discarded before sending'],
    ['Waiting to be sent', 'Pending'],
    ['In the queue', 'Pending'],
    [
      'The service could no longer say what had changed (events), so everything was downloaded again. Your pending changes are safe.',
      'The service no longer had a list of recent changes (events), so everything was downloaded again. Your pending changes are safe.',
    ],
    [
      '2 records in “Team” came in an unknown format (start, end). This computer keeps the last version it could read, and everything else is up to date. Flightplan tries again when the data changes on the server.',
      'The service sent 2 records in “Team” in an unknown format (start, end). What was readable before is still on this computer, and everything else is up to date. Flightplan will try again when the data changes.',
    ],
    [
      'Flightplan ended during “Take Spring out of the archive”: 1 of 2 changes were taken back, the others are as they were. Undo takes back the rest.',
      'Flightplan closed while undoing “Unarchive Spring”. 1 of 2 changes were undone. Undo again to finish.',
    ],
    [
      'The database of this computer was damaged and could not be read. 2 unsent changes came back from the journal; everything else is read from the service again. Undo steps from before are gone. There is nothing to do; keep an eye on the disk space of this computer.',
      'The local database was damaged. 2 pending changes were restored from the journal. Your data on the server is downloading again. You can’t undo earlier edits. Check your free disk space.',
    ],
  ])('%s', (former, current) => {
    expect(currentText(former)).toBe(current)
    expect(currentText(current)).toBe(current)
  })

  it("a service's message stays", () => {
    expect(currentText('The request was refused, 2 fields are unknown.')).toBe(
      'The request was refused, 2 fields are unknown.',
    )
  })
})
