/**
 * Texts that older versions stored, such as labels of edits, outcomes of runs, and alerts. They're translated when they're
 * shown, and stay unchanged on disk.
 */

/** A former text and its current words. `{count}` stands for digits, other placeholders for any text, which is translated, too. */
type Pair = readonly [former: string, current: string]

const labels: readonly Pair[] = [
  ['Take back: {label}', 'Revert: {label}'],
  ['Take {records} out of the archive', 'Unarchive {records}'],
  ['Empty {cells}: {fields}', 'Clear {cells}: {fields}'],
  ['Colour {calendar}', 'Color {calendar}'],
  ['Duplicate {records} with {others} of it', 'Duplicate {records} and {others} in it'],
  ['Change {report}: days', 'Change date range of {report}'],
]

/** Texts of runs, automatic exports, conversions, and rejected changes. */
const outcomes: readonly Pair[] = [
  [
    '{outcome}; it was asked for twice, as the service did not say whether it had begun',
    '{outcome}. Requested twice, because the first request may not have arrived',
  ],
  ['Kept', 'Complete'],
  ['Kept; the rows do not add up to the totals', 'Complete, but rows don’t match the report totals'],
  ['The service is being asked', 'Requesting the report'],
  ['The service makes the report', 'The report is running'],
  ['The file is being fetched', 'Downloading the results'],
  ['Looking for the run at the service', 'Looking for the run on the server'],
  ['Waiting for the report to be sent', 'Waiting for the report’s changes to be sent'],
  ['Stopped watching; the service finishes it', 'Stopped waiting. The report will finish on the server'],
  [
    'Twice the service did not say whether it began. Run it again to ask for it once more.',
    'Couldn’t confirm that the report started. Run it again.',
  ],
  [
    'The service has worked at it for twelve hours. Look again, or run the report anew.',
    'The report has been running for 12 hours. Check again, or run it again.',
  ],
  [
    '{message} It was fetched twice. Run the report again.',
    '{message} A second download didn’t help. Run the report again.',
  ],
  ['The last line of the file is not whole.', 'The last line of the file is incomplete.'],
  ['The file has {count} rows where the service said {rows}.', 'The file has {count} rows instead of {rows}.'],
  ['The file ends before its line of totals.', 'The file ends before its total row.'],
  ['The report is ready, but the service has no file of it.', 'The report is ready, but it has no file.'],
  ['The report is not at the service any more.', 'The report no longer exists on the server.'],
  [
    'The service does not have the file any more. Run the report again.',
    'The results are no longer on the server. Run the report again.',
  ],
  [
    'The service could not make the report; it gave no reason.',
    'The report failed on the server. The service gave no reason.',
  ],
  ['The run was cancelled at the service.', 'The run was canceled on the server.'],
  [
    'The report is too large for the service. Ask for fewer days or one account at a time.',
    'The report is too large. Choose a shorter date range or one account at a time.',
  ],
  [
    'Too many reports were asked for at once. Try again in some minutes.',
    'Too many reports were requested at once. Try again in a few minutes.',
  ],
  [
    'As many reports as the service allows in a day were made. Try again tomorrow.',
    'The daily report quota is used up. Try again tomorrow.',
  ],
  [
    'Something went wrong at the service. Try again in ten minutes.',
    'The service had an internal error. Try again in 10 minutes.',
  ],
  ['The service does not accept what the report asks for.', 'The service rejected the report definition.'],
  [
    'Not exported: the rows do not add up to the service’s totals.',
    'Not exported. Rows don’t match the report totals.',
  ],
  ['Not exported: nothing changed since the export before.', 'Not exported. Nothing changed since the last export.'],
  [
    '{reason} The export waits; the file of the run is kept here until it is written.',
    '{reason} The results are saved, and Flightplan will try the export again.',
  ],
  ['The folder {path} is not there.', 'Can’t find the folder {path}.'],
  ['{path} is not a folder any more.', '{path} is no longer a folder.'],
  ['Waiting to be sent', 'Pending'],
  ['In the queue', 'Pending'],
  ['Being sent', 'Sending…'],
  ['Taken back before it was sent', 'Discarded before sending'],
  ['The service has it', 'Accepted'],
  ['The service has it: an earlier try had arrived', 'Accepted in an earlier attempt'],
  ['The service has it, with the same values', 'Already accepted with the same values'],
  [
    'The service has a conversion of this ID and time already, with other values.',
    'A conversion with this ID and time already exists, with different values.',
  ],
  [
    'The service has a conversion of this ID and time. It may be this one, from a try whose answer was lost, or another one: look for it among the conversions before you send it again.',
    'A conversion with this ID and time already exists. It may be this one, sent by an earlier attempt. Look for it under Conversions before you send it again.',
  ],
  ['{count} at the service, {others}', '{count} accepted, {others}'],
  ['{count} at the service', '{count} accepted'],
  ['{count} refused, {others}', '{count} rejected, {others}'],
  ['{count} refused', '{count} rejected'],
  ['{count} to be sent', '{count} pending'],
  [
    'It keeps changing on the server while you delete it.',
    'This record keeps changing on the server, so it couldn’t be deleted.',
  ],
]

const alerts: readonly Pair[] = [
  ['A change of many records did not come to its end', 'A bulk change was interrupted'],
  [
    'Flightplan ended during “{label}”: {done} of {count} changes were made and are kept. Undo takes them back; to have all of them, do it again.',
    'Flightplan closed during “{label}”. {done} of {count} changes were saved. You can undo these changes, or repeat the edit to make all of them.',
  ],
  [
    'Flightplan ended during “{label}”: {done} of {count} changes were taken back, the others are as they were. Undo takes back the rest.',
    'Flightplan closed while undoing “{label}”. {done} of {count} changes were undone. Undo again to finish.',
  ],
  ['Some changes by others stay', 'Someone else’s changes were kept'],
  [
    'Someone else changed {name} after you did. Their change stays.',
    'Someone else changed {name} after you did. Their change was kept.',
  ],
  ['Fetched again from the service', 'Your data was downloaded again'],
  [
    'The service no longer knew where this computer had stopped reading ({records}), so everything was read again. Nothing unsent was touched. There is nothing to do.',
    'The service no longer had a list of recent changes ({records}), so everything was downloaded again. Your pending changes are safe.',
  ],
  [
    'The service could no longer say what had changed ({records}), so everything was downloaded again. Your pending changes are safe.',
    'The service no longer had a list of recent changes ({records}), so everything was downloaded again. Your pending changes are safe.',
  ],
  ['Changed by two people at the same moment', 'Someone else changed this at the same time'],
  ['Some of what the service sent could not be read', 'Couldn’t read some data from the service'],
  [
    '{records} came in a form that the interface does not know ({fields}). What this computer had of them was kept as it was; everything else was taken. They are read again when they change on the service.',
    'The service sent {records} in an unknown format ({fields}). What was readable before is still on this computer, and everything else is up to date. Flightplan will try again when the data changes.',
  ],
  [
    '{records} came in an unknown format ({fields}). This computer keeps the last version it could read, and everything else is up to date. Flightplan tries again when the data changes on the server.',
    'The service sent {records} in an unknown format ({fields}). What was readable before is still on this computer, and everything else is up to date. Flightplan will try again when the data changes.',
  ],
  ['Your data is being fetched again', 'Your data is downloading again'],
  [
    '{loss}. {safe}; everything else is read from the service again. Undo steps from before are gone. {todo}',
    '{loss}. {safe}. Your data on the server is downloading again. You can’t undo earlier edits. {todo}',
  ],
  [
    'The database of this computer was empty although Flightplan had been used here',
    'The local database was unexpectedly empty',
  ],
  [
    'The database of this computer and the journal of unsent changes were both gone although Flightplan had been used here',
    'The local database and the journal of pending changes were both missing',
  ],
  ['The database of this computer was damaged and could not be read', 'The local database was damaged'],
  [
    'The database of this computer was written by a newer version of Flightplan',
    'The local database was written by a newer version of Flightplan',
  ],
  [
    'The database of this computer did not belong to the journal of unsent changes',
    'The local database didn’t match the journal of pending changes',
  ],
  [
    'Changes that had been sent are safe, changes that still waited here are gone',
    'Changes that were already sent are safe, but pending changes are lost',
  ],
  ['No change was waiting to be sent', 'You had no pending changes'],
  ['1 unsent change came back from the journal', '1 pending change was restored from the journal'],
  ['{count} unsent changes came back from the journal', '{count} pending changes were restored from the journal'],
  [
    'Please check your latest edits, and whether another program cleans up the folder of Flightplan.',
    'Check your latest edits, and make sure no other program deletes files from Flightplan’s folder.',
  ],
  ['There is nothing to do; keep an eye on the disk space of this computer.', 'Check your free disk space.'],
  ['Part of the journal of unsent changes could not be read', 'Part of the journal of pending changes is damaged'],
  [
    '{lines} failed the checksum and may have held unsent changes. They were kept in {file}. All other changes were kept. Please check your latest edits.',
    '{lines} failed the checksum and may have contained pending changes. You can find the damaged part in {file}. All other changes are safe. Check your latest edits.',
  ],
  [
    '{lines} failed the checksum and may have held unsent changes. All other changes were kept. Please check your latest edits.',
    '{lines} failed the checksum and may have contained pending changes. All other changes are safe. Check your latest edits.',
  ],
  ['Some changes were made by a newer version of Flightplan', 'Some changes need a newer version of Flightplan'],
  ['Some stored changes could not be read', 'Couldn’t read some saved data'],
]

type Translate = (text: string) => string

function translator(pairs: readonly Pair[], inner?: Translate): Translate {
  const rules = pairs.map(([former, current]) => {
    const source = former
      .replace(/[\\^$.*+?()[\]|]/g, '\\$&')
      .replaceAll('{count}', '(?<count>[\\d,]+)')
      .replace(/\{(\w+)\}/g, '(?<$1>.+?)')
    return { pattern: new RegExp(`^${source}$`, 's'), current }
  })
  const translate: Translate = (text) => {
    for (const { pattern, current } of rules) {
      const found = pattern.exec(text)
      if (found) return current.replace(/\{(\w+)\}/g, (_, name: string) => translate(found.groups![name]!))
    }
    return inner ? inner(text) : text
  }
  return translate
}

/** Translates the label of an edit, such as `Take *Spring* out of the archive`. */
export const currentLabel = translator(labels)
/** Translates the outcome of a run, an export, or an upload, the message of a rejected change, or an alert. */
export const currentText = translator([...outcomes, ...alerts], currentLabel)
