// Flightplan's promises and the tests that prove them. README.md shows them as a table, and architecture/test-map.test.ts
// compares the two. R1–R47 are about behavior, S1–S15 about security.

export interface Proof {
  /**
   * The test file's path below `test`, without `.test.ts` or `.all.test.ts`. `window/` means `page` or `e2e`, so that a test
   * may move between them.
   */
  file: string
  /** The title of a test or a group, as the file spells it. */
  title: string
}

export interface Promised {
  id: string
  promise: string
  tests: readonly Proof[]
  /** What no test proves. Starts with `none: ` if nothing is proven. */
  gap?: string
}

const inFile = (file: string, ...titles: string[]): Proof[] => titles.map((title) => ({ file, title }))

const simulated = inFile(
  'flows/simulation',
  'users %s: nothing is lost, duplicated, stuck, or overwritten unseen, and all end equal',
)
const simulatedCampaigns = inFile(
  'flows/simulation',
  'users with campaigns: drafts wait until posted, no reference dangles, and lost updates are reported',
)

export const promises: readonly Promised[] = [
  // No loss, no duplicates
  {
    id: 'R1',
    promise: 'Every saved edit reaches the server, or stays in the queue with its content.',
    tests: [
      ...simulated,
      ...simulatedCampaigns,
      ...inFile('flows/auditor', 'the auditor detects when %s'),
      ...inFile(
        'flows/same-names',
        'several new placements with one name are all created as typed, whatever happens to their requests',
      ),
      ...inFile(
        'window/nothing-lost',
        'an edit made while the service is stopped shows at once, survives SIGKILL, and arrives exactly once',
      ),
    ],
    gap: 'npm test runs 80 schedules and test:all 2,000, not 10,000. `npm run simulate` runs more.',
  },
  {
    id: 'R2',
    promise: 'Creating a record never makes a second copy when the answer is lost.',
    tests: [
      ...inFile(
        'main/sync/push',
        'a creation whose response is lost after the commit makes no second copy',
        'a creation that never arrived is sent on the second try',
      ),
      ...inFile('main/sync/every-collection', '%s: a creation with a lost response makes no second copy'),
      ...inFile('flows/unknown-outcome', "keeps someone else's edits from before the lookup"),
      ...inFile(
        'flows/same-names',
        'a new placement with an existing name is its own record when the response is lost %s its creation (downloaded: %s)',
        "a new placement with a lost response isn't matched to an older draft of its name posted since",
        "isn't confused with someone else's of the same name: %s",
        'is found even if renamed before the lookup: %s (read first: %s)',
      ),
      ...inFile(
        'flows/lost-creations',
        'a task renamed before its lost response is looked up prompts: %s',
        'a task moved before its lost response is looked up prompts in the new list',
      ),
      ...inFile('flows/given-keys', 'an audience segment edited again while being sent keeps the ID from the service'),
      ...inFile('main/reports/search-ads', 'arrive once, whatever happened to the response'),
      ...inFile(
        'main/reports/conversion-batches',
        'splits many rows into requests, and a lost response duplicates and drops none',
      ),
      ...simulated,
    ],
    gap: 'The answer is dropped whole or cut in half, not at every byte.',
  },
  {
    id: 'R3',
    promise: 'A change that arrived although its answer was lost is recognized on the retry, not shown as a conflict.',
    tests: [
      ...inFile('main/sync/push', 'a change with a lost response is recognized as applied, not a conflict'),
      ...inFile('shared/merge/arrived', 'is recognized although the service added fields'),
      ...inFile('flows/unknown-outcome', '%s, once, despite a response lost after the commit'),
    ],
    gap: 'The simulation does not count false conflicts.',
  },
  {
    id: 'R4',
    promise: 'Deleting a record that is already gone counts as done.',
    tests: [
      ...inFile('main/sync/push', 'a deletion with a lost response, or made by someone else, is done'),
      ...inFile(
        'main/sync/every-collection',
        '%s: a deletion arrives, or counts as done if already deleted or its response was lost',
      ),
      ...inFile('main/sync/odd-service', "the service's own 404 and 410 still mean deleted"),
    ],
  },
  {
    id: 'R5',
    promise: 'An edit made while an older version of the record is being sent is sent as well.',
    tests: [
      ...inFile(
        'renderer/replica/edit',
        'stay pending when made while an older version is being sent',
        'that undo one being sent are sent after it',
      ),
      ...simulated,
    ],
  },
  {
    id: 'R6',
    promise: 'Edits of one record become one pending change with the last value, and undo still steps through each.',
    tests: [
      ...inFile(
        'renderer/replica/edit',
        'of one record merge into one entry with the latest label, and vanish when reverted',
        'undo one step without later ones',
      ),
      ...inFile('flows/quick-undo', 'undo as many steps as pressed, last first'),
      ...inFile('flows/undo-restart', 'a large step that is undone after a restart leaves the account as it was'),
    ],
  },
  {
    id: 'R7',
    promise: 'A record that is created, edited, and deleted before it was sent causes no request.',
    tests: [
      ...inFile('flows/replica', 'sends nothing created, changed, and deleted while pending'),
      ...inFile(
        'renderer/replica/edit',
        "of an unsent list vanish with its tasks when it's deleted, and undo restores all",
      ),
    ],
  },
  {
    id: 'R8',
    promise: 'Parents are sent before what refers to them, and the real ID replaces the local one everywhere.',
    tests: [
      ...inFile('flows/two-devices', 'an offline task list, task, and subtask arrive as a tree with real IDs'),
      ...inFile('flows/replica', "replaces a new list's local ID everywhere before sending its tasks"),
      ...inFile(
        'renderer/replica/references',
        'are sent in order: a new one after the ones it refers to, at any depth',
        'that refer to each other take two steps without deadlock',
      ),
      ...inFile('renderer/replica/edit', 'can add events to a new calendar before the service knows it'),
      ...simulated,
      ...simulatedCampaigns,
      ...inFile('flows/hostile-values', 'an editor that is open while the service assigns IDs'),
    ],
    gap: 'Only at the level of the replica: no test has a form open while its record gets its real ID.',
  },
  {
    id: 'R9',
    promise: 'When a parent is rejected, what depends on it waits with a reason, neither sent nor dropped.',
    tests: [
      ...inFile(
        'renderer/replica/edit',
        "pause at a rejected entry and its dependents, and resume once it's fixed",
        'that are discarded take their dependents along',
      ),
      ...inFile('renderer/sync/queue', 'exclude the contents of something never sent'),
      ...simulated,
    ],
  },
  {
    id: 'R10',
    promise: 'Changes of one record keep their order, and a stuck one holds up no other record.',
    tests: [
      ...inFile(
        'renderer/sync/queue',
        'are one per record, the oldest',
        'never block on a record that needs attention or is delayed',
      ),
      ...inFile('flows/two-devices', 'work continues while one entry needs attention'),
      ...inFile('flows/task-order', 'any offline order'),
      ...inFile('flows/lanes', "a calendar edit doesn't wait for another service"),
    ],
  },
  {
    id: 'R11',
    promise: 'A rejected change is not sent again and again. It is listed, and can be edited and retried.',
    tests: [
      ...inFile('renderer/sync/loop', "sends the others when one entry is rejected, and doesn't retry that one"),
      ...inFile('renderer/replica/edit', "pause at a rejected entry and its dependents, and resume once it's fixed"),
    ],
  },

  // Convergence and conflicts
  {
    id: 'R12',
    promise: 'All computers and the server end up equal.',
    tests: [
      ...simulated,
      ...simulatedCampaigns,
      ...inFile(
        'flows/sync-check',
        'repairs an extra, a missing, and an outdated record that a normal sync misses',
        'drops no pending edit of an extra or outdated record',
        'reports its repairs when ended by %s',
      ),
      ...inFile(
        'flows/restored-contents',
        'an occurrence that was restored after its series was cut stays when the lost answer is looked up',
      ),
    ],
    gap: 'As many schedules as for R1.',
  },
  {
    id: 'R13',
    promise: 'After the last fault the queue empties on its own, within 5 times the longest pause.',
    tests: [
      ...inFile(
        'renderer/sync/loop',
        'makes few calls during an outage, then empties the queue on its own',
        'continues when a request is never answered: %s',
        'continues after a wait that ends while it reads the clock',
      ),
      ...simulated,
    ],
    gap: 'The simulation asks for a sync in up to 12 rounds, so only the loop’s own tests measure the time.',
  },
  {
    id: 'R14',
    promise: 'The three-way merge keeps edits of different fields, and a second merge changes nothing.',
    tests: [
      ...inFile(
        'shared/merge/merge',
        'the merge truth table',
        'with itself asks nothing',
        'keeps the only side that changed',
        'asks the same and gives the same, whichever side merges',
        "is idempotent and keeps every user's value",
      ),
    ],
    gap: '2,000 random triples per rule in npm test and 20,000 in test:all, not 200,000.',
  },
  {
    id: 'R15',
    promise: 'A conflict over one field keeps both values until someone resolves it, also over a restart.',
    tests: [
      ...inFile('flows/two-devices', 'a field conflict keeps all three versions until resolved, also over a restart'),
      ...inFile(
        'main/sync/push',
        'edits of different fields merge with a receipt, and edits of one field wait with all three versions',
      ),
      ...inFile('flows/every-collection', 'asks if both changed the same field, and ends with %s'),
      ...inFile('main/reports/conversion-uploads', 'a change to a conversion that someone else changed'),
      ...simulated,
    ],
    gap: 'Changes of conversions that are pasted as rows replace what the service has.',
  },
  {
    id: 'R16',
    promise: 'When one side deletes and the other edits, the app asks, and the losing side can be restored.',
    tests: [
      ...inFile('main/sync/push', 'a deletion of a changed record asks, and a change of a deleted record asks'),
      ...inFile('renderer/replica/versions', 'keeps an edit of a deleted record the same way'),
      ...inFile('renderer/views/sync/conflict', 'asks whether to keep the record when one side deleted it'),
      ...inFile('flows/moved-records', "asks if it's gone everywhere", 'asks before deleting it in its new place: %s'),
      ...inFile('flows/reach', 'tasks that someone else added or changed'),
      ...inFile(
        'flows/restored-contents',
        'deleting a task asks if someone changed a subtask and restored it first: %s',
      ),
      ...inFile('flows/unread-contents', 'deleting %s whose contents are unreadable: %s'),
      ...inFile(
        'window/sync-lists',
        'asks before it deletes a task with a subtask from someone else, and one key keeps both',
      ),
      ...inFile('flows/losing-side', 'a deletion against an edit, after the choice'),
      ...inFile('flows/undo-sent', 'takes theirs and leaves no question, and redo changes theirs'),
    ],
  },
  {
    id: 'R17',
    promise: 'Edits of one occurrence, of this and following ones, and of the series fit together.',
    tests: [
      ...inFile(
        'shared/domain/series-edit',
        'an edit of one occurrence',
        'an edit of this and following occurrences',
        'an edit of the whole series',
      ),
      ...inFile('shared/time/recurrence', 'splitting a series changes nothing outside the scope'),
      ...inFile('main/sync/push', 'a PATCH turns an unchanged occurrence into an exception'),
      ...inFile('flows/sync-edge-cases', 'an occurrence whose series moves to another calendar'),
      ...inFile('flows/reach', 'occurrences that someone else changed'),
      ...inFile(
        'flows/unseen-changes',
        'deleting an occurrence that someone changed asks first',
        'an edit without remaining changes leaves no phantom occurrence',
      ),
      ...simulated,
    ],
  },
  {
    id: 'R18',
    promise: 'Lists merge by entry, keep their order, and unknown fields survive.',
    tests: [
      ...inFile('shared/merge/merge', 'the merge truth table', 'text lists'),
      ...inFile('shared/merge/entries', 'a list entry', 'entries with equal keys', 'the order of a list'),
      ...inFile('flows/undo-sent', 'a conflict about one list entry'),
      ...inFile('shared/merge/arrived', 'clears removed keys at every depth and sends lists whole'),
      ...inFile(
        'main/sync/unknown-fields',
        'unknown fields survive a pull, an edit, and a PUT, at every level and in their order',
        'unknown fields of guests survive an edit of another guest',
        'a number that can only be read rounded is never written back',
      ),
    ],
    gap: 'Unknown fields are followed through a PUT of an event only.',
  },
  {
    id: 'R19',
    promise:
      'Where a service has no etags, a record is read before it is written, and the change log reports what slipped in between.',
    tests: [
      ...inFile(
        'flows/lost-updates',
        'is reported with both values',
        'is reported when our response was lost and the change log came first',
        'asks when our change arrived, its response was lost, and they restored the old value',
      ),
      ...inFile('flows/outdated-reads', 'overwrites no change known by now'),
      ...inFile('flows/rereading', 'a record changed during a slow bulk send asks instead of being overwritten'),
      ...inFile(
        'flows/downloads',
        'reports a lost update between read and write',
        'reports a list entry lost between read and write',
      ),
      ...simulatedCampaigns,
    ],
  },
  {
    id: 'R20',
    promise: 'A sync while a form is open loses nothing that was typed.',
    tests: [
      ...inFile(
        'renderer/views/calendar/draft',
        'keeps your input while the base changes, and updates the rest',
        'keeps every character typed, whatever syncs come in between',
        'has nothing to save when the other side made the same change',
      ),
      ...inFile(
        'renderer/replica/places',
        'typed into %s replaces your own later edit, but not an unseen change',
        'applies the other places, and merges by the rules of the collection',
      ),
      ...inFile(
        'flows/simulation',
        'users who type into the same fields: nothing is overwritten that they had not seen when they began',
      ),
      ...inFile(
        'window/campaign-form',
        'asks before it replaces a value that someone else changed during the edit',
        "explains why an entry's field wasn't saved after someone else removed the entry",
      ),
      ...inFile('window/campaign-cells', 'asks before it replaces a value that someone else changed during the edit'),
    ],
    gap: 'The event form is tested as a model only, and the task form not at all.',
  },

  // Crash, storage, upgrade
  {
    id: 'R21',
    promise: 'A crash at any point where the window waits loses no saved edit and sends none twice.',
    tests: [
      ...inFile('flows/crash', 'loses nothing acknowledged and duplicates nothing, at every %s it waits for'),
      ...inFile('flows/large-edits', 'leaves complete slices after a window crash, which one undo reverts'),
      ...inFile('flows/simulation', 'cover every step and error'),
      ...simulated,
    ],
    gap: 'Every point is tried for five jobs: create an event, create a task, change, delete, and a list with a task. Moves, drafts, and pairs of crashes only come up at random.',
  },
  {
    id: 'R22',
    promise: 'Killing the app or its window loses no saved edit.',
    tests: [
      ...inFile(
        'window/nothing-lost',
        'after SIGKILL during edits and sending, every acknowledged edit arrives, none twice',
      ),
      ...inFile('window/window-health', 'reloads with every unsent edit, and says so'),
      ...inFile('window/campaign-journey', 'survives a kill, posts when online, and asks about one conflict'),
    ],
    gap: '2 rounds of SIGKILL and 12 in test:all, not 100, which `npm run crash` has. The main process is only killed together with all others.',
  },
  {
    id: 'R23',
    promise: 'After a power loss, what reached the disk is used, and nothing crashes.',
    tests: [
      ...inFile(
        'main/journal/journal',
        'recovers a complete prefix when cut at any byte',
        'writes an edit to disk before it confirms',
        'remembers finished entries over restarts, thousands of them, until re-added',
      ),
      ...inFile(
        'renderer/replica/recover',
        'sends nothing twice and keeps the latest text when the database is older than the journal',
      ),
      ...inFile(
        'flows/lost-creations',
        'a creation in an old snapshot prompts: %s',
        'an older database doesn’t clear a calendar again that an event was created in since',
      ),
    ],
    gap: 'No test reorders or drops unsynced writes, neither of the journal nor of IndexedDB.',
  },
  {
    id: 'R24',
    promise: 'On a full disk, an edit or export is refused with a message, and saved edits stay.',
    tests: [
      ...inFile('renderer/replica/edit', "change nothing when the database or the journal can't save them"),
      ...inFile('window/campaign-errors', "cell text stays in an alert, and saves once there's space"),
      ...inFile('flows/remove-download', 'removing a download on a full disk'),
      ...inFile('main/exports/export-file', 'reports a full disk and leaves no partial file'),
      ...inFile(
        'main/reports/full-disk',
        'a disk that fits only part of a chunk loses none of it, whatever its space a moment later',
      ),
      ...simulated,
    ],
    gap: 'npm test simulates the errors of IndexedDB and the journal. `npm run crash` fills a real disk with both, and test:all one for exports, where the system lets them mount it.',
  },
  {
    id: 'R25',
    promise: 'A database connection that closes by itself is opened again.',
    tests: inFile('renderer/replica/store', 'reopens a connection that was closed under it'),
    gap: 'Only with fake-indexeddb. Chromium doesn’t apply an overridden quota to IndexedDB, so no test spends a real one.',
  },
  {
    id: 'R26',
    promise: 'A damaged database is read again, the queue comes from the journal, and the app says so.',
    tests: [
      ...inFile(
        'window/damaged-database',
        'loses no edit and says so: $kind $how',
        'that Chromium can’t open is moved aside, and no longer stops the app',
        'that Chromium empties while the app is open is downloaded again',
      ),
      ...inFile('window/nothing-lost', 'a wiped IndexedDB is restored from the service and the journal, with an alert'),
      ...inFile(
        'renderer/replica/recover',
        'restores the outbox from the journal when the database is unreadable',
        'sets aside unreadable data with its content, and says so',
        'refetches everything when the database was lost while it was open, and has only what was written since',
      ),
    ],
    gap: 'npm test tries 2 of 24 kinds of damage. Chromium deletes a database that it finds damaged, so only one that it can’t open is kept. Files of values over 64 KB are not damaged.',
  },
  {
    id: 'R27',
    promise: 'A database that vanished is recovered, not taken for a first start.',
    tests: [
      ...inFile(
        'renderer/replica/recover',
        'distinguishes a lost database from a first start',
        'refetches everything when the database belongs to another journal, and keeps unsent changes',
      ),
      ...inFile('window/nothing-lost', 'a wiped IndexedDB is restored from the service and the journal, with an alert'),
      ...inFile(
        'window/lost-files',
        'losing the journal and then the database is reported and not taken for a first start',
      ),
      ...inFile('window/accounts', 'reports a wiped database in its own account'),
    ],
  },
  {
    id: 'R28',
    promise: 'Damaged parts of the journal, settings, and sign-ins are skipped, and the rest is used.',
    tests: [
      ...inFile(
        'main/journal/journal',
        'loses at most one entry to a flipped byte, reports it, and keeps the damaged line',
        'gets a new epoch when its header is gone, so the replica is refetched',
      ),
      ...inFile('renderer/context/settings', 'are read field by field: only a damaged one falls back'),
      ...inFile('main/auth/vault', "that can't be unsealed count as missing"),
      ...inFile('main/accounts/accounts', 'of an earlier version loads, and a damaged one is set aside'),
    ],
    gap: 'Every third byte of three entries is flipped, not every byte of 200. `npm run crash` flips each bit of six entries and three ends.',
  },
  {
    id: 'R29',
    promise: 'An upgrade keeps everything, the queue and undo included.',
    tests: [
      ...inFile('renderer/replica/version-1', 'a first-release database'),
      ...inFile(
        'window/version-1',
        'a profile written by the first release opens with its events, queue, and undo steps',
      ),
      ...inFile('flows/task-order', "an earlier version's queue"),
      ...inFile(
        'renderer/replica/version-1',
        'survives a crash at each step of its upgrade, and an upgrade that runs again',
      ),
    ],
    gap: 'Only the first release has a fixture.',
  },
  {
    id: 'R30',
    promise: 'An older version refuses a newer database, keeps newer changes, and still exports.',
    tests: [
      ...inFile('renderer/replica/store', "rejects a newer version's database"),
      ...inFile(
        'main/journal/journal',
        'preserves them verbatim through restarts and compaction and counts them as unsent',
      ),
      ...inFile(
        'flows/newer-version',
        "with unknown ${what} are kept, counted, reported, and unsent, until they're understood",
        'survive losing the database or the journal',
      ),
      ...inFile(
        'window/version-1',
        'a profile of a newer version opens read-only: its changes can be exported, and nothing in it is written',
      ),
    ],
    gap: 'Only pending changes are exported from a newer profile.',
  },
  {
    id: 'R31',
    promise: 'Only one window writes at a time, and another takes over when it ends.',
    tests: [
      ...inFile(
        'window/nothing-lost',
        'a second start of the same profile focuses the first window instead of adding a writer',
      ),
      ...inFile('renderer/replica/writer-lock', 'the writer of an account'),
    ],
    gap: 'Takeover is tried with locks in memory, not with those of Chromium.',
  },
  {
    id: 'R32',
    promise: 'A wrong, changed, or shifted clock changes neither order nor result.',
    tests: [
      ...inFile(
        'renderer/sync/loop',
        "doesn't wait longer after a clock days ahead is corrected",
        "doesn't wait longer after a restart when a fast clock was stored",
      ),
      ...inFile(
        'shared/mutation/fold',
        'sort by creation within a millisecond, after a clock jump, and after a restart',
      ),
      ...inFile('main/services/quota', "don't wait longer or shorter when the clock is set"),
      ...inFile('shared/time/recurrence', 'skip a nonexistent local time and use the first of a repeated one'),
      ...simulated,
    ],
    gap: 'No test suspends the computer, and none runs the same schedule with and without a wrong clock. Clocks are off by up to five years, not ten.',
  },
  {
    id: 'R33',
    promise: 'A very long queue and a long run use no lasting memory.',
    tests: inFile('main/journal/journal', 'stays small after thousands of finished entries'),
    gap: 'Only the journal’s size is tested. `npm run bench` measures the queue. No test queues 100,000 edits or runs for 24 hours.',
  },

  // Wire
  {
    id: 'R34',
    promise: 'An expired sync token reads everything again and keeps what isn’t sent.',
    tests: [
      ...inFile('flows/two-devices', 'expired sync tokens reload next to the rows and keep unsent changes'),
      ...inFile(
        'renderer/sync/loop',
        'refetches everything next to the old rows when its sync token expires, and says so',
      ),
      ...inFile('main/http/faults', "a list's invalid page token"),
      ...inFile(
        'main/sync/odd-service',
        'an invalid token restarts the pull with any status, and is an invalid request without a token',
      ),
      ...simulated,
    ],
  },
  {
    id: 'R35',
    promise: 'A list that breaks off between pages, or changes between them, ends up whole.',
    tests: [
      ...inFile(
        'flows/page-breaks',
        'a list that breaks off at each page in turn ends up whole (%s)',
        'a list that changes between each two pages in turn ends up whole',
      ),
      ...inFile('main/sync/pull', 'is that of the first page, so no change during paging is missed'),
      ...inFile('main/sync/odd-service', 'a response cut at any byte is lost, never a partial page'),
      ...inFile('flows/endless-pages', "doesn't block edits between pages, which stay as sent"),
      ...inFile('flows/downloads', 'resumes at its page after a restart, with progress'),
      ...inFile('renderer/replica/store', 'writes no part of a batch with an invalid item'),
      ...inFile('window/big-account', 'the download resumes after a kill and is complete'),
      ...simulated,
    ],
  },
  {
    id: 'R36',
    promise: 'Limits of a service are kept, pauses grow with jitter, and a spent day waits for the next.',
    tests: [
      ...inFile(
        'main/services/quota',
        'never exceed the limit in any window',
        'stop when the daily quota is used up and resume at midnight Pacific',
      ),
      ...inFile(
        'main/http/send',
        'errors are classified by reason',
        'honors Retry-After in seconds and dates, and ignores nonsense',
      ),
      ...inFile('renderer/sync/queue', 'doubles with jitter, up to 64 seconds'),
      ...inFile('main/sync/push', "used up for the day resets at the service's own midnight %s"),
      ...inFile(
        'renderer/sync/lanes',
        "a service with its daily quota used up isn't called until it renews, even if only reads hit it",
      ),
    ],
  },
  {
    id: 'R37',
    promise:
      'An expired sign-in is renewed once for all calls. If that fails, the queue stays, and the app says so once.',
    tests: [
      ...inFile(
        'main/auth/sign-in',
        'happens once for ten calls rejected at the same time',
        'reports an expired session once after a revocation and stops asking',
      ),
      ...inFile('main/accounts/accounts', 'renew an expired token once for ten calls'),
      ...inFile(
        'renderer/sync/loop',
        'pauses while the session is expired, keeps the queue, and resumes after sign-in',
      ),
      ...inFile('window/accounts', 'a revoked sign-in pauses the queue, and every screen shows it'),
    ],
  },
  {
    id: 'R38',
    promise: 'A broken, hostile, or endless answer neither crashes nor blocks the app, and damages no record.',
    tests: [
      ...inFile(
        'main/sync/odd-service',
        'a pull with odd responses',
        'a response with any flipped bit is an error or has identifiable records',
        'gzip, another content type, a byte order mark, and unknown fields change nothing',
        'a page that links to itself is an error, not an endless loop',
      ),
      ...inFile('main/http/send', 'network errors'),
      ...inFile('main/http/hanging', 'a trickling response is aborted, though each chunk is on time'),
      ...inFile('main/services/answers', '%s drops only its own record'),
      ...inFile('window/bad-network', 'a response that fetch would reject'),
      ...inFile('main/http/send', 'a body of 300 MB and one that unpacks to more are refused, without being kept'),
      ...inFile(
        'main/services/answers',
        'an event %s drops only its own record',
        'ends with an error when pages repeat, one after the other or in turn, or never end',
        'leaves out an etag that no header can carry',
      ),
      ...inFile('flows/hostile-values', 'an event of the service'),
    ],
    gap: 'No measure of memory. One bit per byte of one small page is flipped, not 100,000 mutations.',
  },
  {
    id: 'R39',
    promise: 'A token never follows a redirect or reaches another host.',
    tests: [
      ...inFile('main/http/send', "a redirect isn't followed, and its target never sees the token"),
      ...inFile(
        'main/auth/bound-fetch',
        "isn't sent to another host, port, or scheme",
        "doesn't follow a redirect, even of its own service",
      ),
      ...inFile(
        'main/accounts/accounts',
        'end the sign-in when a service moves to another host, and send no token there',
        'send no token to an address edited into the file',
      ),
      ...inFile('main/auth/sign-in', 'follows no redirect with a code'),
    ],
  },
  {
    id: 'R40',
    promise: 'A late, unordered, or pruned change log of the campaigns hides no change.',
    tests: [
      ...inFile('flows/downloads', "isn't reloaded at the next start, and updates from the change log"),
      ...inFile('flows/rereading', 'an unreadable record in a change log'),
      ...inFile('flows/lost-updates', 'is reported when our response was lost and the change log came first'),
      ...inFile('flows/change-log', 'a change log'),
    ],
    gap: 'A change whose entry comes more than 30 minutes late, or never, shows after the daily read.',
  },
  {
    id: 'R41',
    promise: 'Each part of a batch is handled on its own.',
    tests: [
      ...inFile(
        'main/reports/conversion-batches',
        'sends accepted rows once and keeps rejected ones with their errors',
        'splits many rows into requests, and a lost response duplicates and drops none',
        'narrows down an error without a row by smaller requests',
      ),
      ...inFile(
        'main/reports/conversion-batches',
        'a response in another order that leaves out parts %s duplicates and drops none',
      ),
    ],
    gap: 'Conversions are the only batches that the app sends.',
  },
  {
    id: 'R42',
    promise: 'After an outage or a long time offline the app catches up without a storm of requests.',
    tests: [
      ...inFile('renderer/sync/loop', 'makes few calls during an outage, then empties the queue on its own'),
      ...inFile('renderer/sync/lanes', 'after being offline'),
      ...inFile('flows/sync-edge-cases', 'a captive portal on every response leaves no edit needing attention'),
      ...inFile('flows/long-offline', 'a computer that was offline'),
    ],
    gap: 'Requests are counted on a small account.',
  },
  {
    id: 'R43',
    promise: 'A very large account is downloaded whole and stays usable.',
    tests: [
      ...inFile('window/big-account', 'the download resumes after a kill and is complete'),
      ...inFile('renderer/replica/window', 'returns one month of 20,000 events and 300 series, in order'),
    ],
    gap: 'The download compared with the server has 10,000 placements. No calendar of 100,000 events is compared with it.',
  },
  {
    id: 'R44',
    promise: 'The sandbox loses nothing it confirmed, and answers only who has its token and its own address.',
    tests: [
      ...inFile(
        'main/sandbox/guards',
        'rejects a foreign Host and a foreign Origin with any token',
        'requires a bearer token and says how',
      ),
      ...inFile('main/sandbox/persistence', 'loses no acknowledged write when killed'),
      ...inFile('window/sandbox-process', 'a crashed sandbox restarts with its data, and pending changes are sent'),
    ],
    gap: 'No test tries to reach it from another address than 127.0.0.1.',
  },

  // Files and exports
  {
    id: 'R45',
    promise: 'An export is whole or not there, whatever stops it.',
    tests: [
      ...inFile(
        'main/exports/export-file',
        'never has a partial file under its name, even when killed at row %i',
        'canceled midway as %s leaves nothing and stops reading',
        'reports a full disk and leaves no partial file',
      ),
      ...inFile('main/exports/files', 'that fails midway keeps the old one and leaves nothing'),
      ...inFile('window/export-in-background', 'reloading the window leaves no process and no partial file'),
    ],
    gap: 'An export is killed at one of four points in npm test and at all in test:all, not at 50. A killed one leaves a hidden part until the next start.',
  },
  {
    id: 'R46',
    promise: 'No exported cell becomes a formula, numbers stay numbers, and texts come back unchanged.',
    tests: [
      ...inFile(
        'main/exports/files',
        'defuse formulas and keep numbers as numbers',
        'contain no formula under any separator',
        'read back exactly in another parser, whatever the cells',
      ),
      ...inFile(
        'main/exports/export-writers',
        'contain no text that a spreadsheet evaluates',
        'is reversible for any text',
      ),
      ...inFile('main/exports/workbook', 'preserves any text and evaluates none'),
    ],
    gap: 'Up to 5,000 random cases per rule, not 100,000 cells. No test opens a file in LibreOffice.',
  },
  {
    id: 'R47',
    promise: 'No file name leads outside the chosen folder.',
    tests: [
      ...inFile('main/exports/files', '%j becomes one harmless name in its folder', 'never writes through a link'),
      ...inFile('shared/reports/file-names', 'from any text fits every disk, and sanitizing is idempotent'),
      ...inFile('main/reports/run-paths', "stay below their account's folder, whatever their names"),
      ...inFile('shared/ipc/run-ids', 'run IDs in requests'),
    ],
  },

  // Electron security
  {
    id: 'S1',
    promise: 'Every window is sandboxed and isolated, without Node or webviews.',
    tests: inFile('window/hardening', 'runs sandboxed and isolated, without Node'),
    gap: 'Experimental and Blink features are not read, and electronegativity is not run.',
  },
  {
    id: 'S2',
    promise: 'The window runs only packaged scripts and makes no network requests of its own.',
    tests: inFile(
      'window/hardening',
      'runs only packaged scripts',
      "can't reach the network or files",
      "can't bypass its policy: no WebRTC, preconnect, beacon, or image requests",
    ),
    gap: '7 ways to inject a script, not 50. No test reads the policy itself.',
  },
  {
    id: 'S3',
    promise: 'app:// serves packaged files only.',
    tests: [
      ...inFile('main/app/edges', 'app:// addresses', "%s can't leave the package"),
      ...inFile('window/hardening', "can't reach the network or files"),
    ],
  },
  {
    id: 'S4',
    promise: 'The window neither navigates nor opens windows, and only safe links leave it.',
    tests: [
      ...inFile('main/app/edges', 'links out of the app', 'a mailto link'),
      ...inFile('window/hardening', "can't navigate or open windows"),
    ],
  },
  {
    id: 'S5',
    promise: 'The window gets no permissions.',
    tests: inFile('window/hardening', 'has no permissions'),
    gap: '10 permissions and the microphone are asked for, not every name there is.',
  },
  {
    id: 'S6',
    promise: 'The main process answers only its own windows, and only well-formed questions.',
    tests: [
      ...inFile('window/hardening', 'can call main only with known messages of a known shape'),
      ...inFile('main/ipc/handle', 'a request with arguments of any kind'),
    ],
    gap: 'No test asks from another frame or origin, or lists the channels that exist.',
  },
  {
    id: 'S7',
    promise: 'The packaged app can’t be run as plain Node or with a debugger.',
    tests: inFile(
      'window/packaged',
      "doesn't run as Node, whatever the environment",
      'has the fuses that its configuration sets',
      'opens no debugger, whatever the arguments',
    ),
    gap: 'Linux can’t check the archive’s integrity.',
  },
  {
    id: 'S8',
    promise: 'Tokens stay in the main process, sealed by the system’s keyring or in memory only.',
    tests: [
      ...inFile(
        'window/no-secrets',
        "none is in the user data folder or the sandbox's files",
        'none is in the log',
        'none went over IPC except the client secret you typed, and none is in the page',
      ),
      ...inFile('main/auth/vault', 'of a full sign-in never reach the disk without a keyring'),
      ...inFile('main/accounts/accounts', 'on %s, available: %s, backend: %s is usable: %s'),
      ...inFile('window/sign-in', 'says where the sign-in is stored, and writes nothing to disk without a keyring'),
      ...inFile('window/private', "can't see service tokens in the process list, and child processes don't get them"),
    ],
    gap: 'Keyrings are simulated: no test runs with gnome-keyring. No crash dump is searched.',
  },
  {
    id: 'S9',
    promise: 'Sign-in accepts one answer with the right state, at its own local address, with PKCE.',
    tests: [
      ...inFile(
        'main/auth/callback',
        'rejects %s and keeps waiting',
        'rejects a second request on an open connection',
        'takes one response with the right state, then closes',
      ),
      ...inFile(
        'main/auth/sign-in',
        'requests a code with PKCE, state, and scopes, and never shows the browser the verifier',
      ),
      ...inFile('window/sign-in', 'rejects a wrong state, a foreign Host, a replayed code, and a second request'),
    ],
  },
  {
    id: 'S10',
    promise: 'HTML in event descriptions runs no script and loads nothing.',
    tests: inFile('window/description', 'an HTML description runs no script, loads nothing, and keeps only safe links'),
  },
  {
    id: 'S11',
    promise: 'Services are reached by TLS only, the sandbox on this computer excepted.',
    tests: [
      ...inFile('main/http/send', 'base addresses'),
      ...inFile(
        'main/accounts/accounts',
        'is requested over TLS or from this computer only',
        'with invalid input are rejected with the field at fault',
      ),
      ...inFile('main/auth/sign-in', 'reports a service without sign-in or with an unsafe one'),
    ],
  },
  {
    id: 'S12',
    promise: 'Only a signed, newer version is installed as an update.',
    tests: [
      ...inFile('main/updates/updates', 'a good update', 'nothing changes, and the settings say why,'),
      ...inFile(
        'window/updates',
        'an update is installed when the app quits, and 50 pending edits are there in the next version',
      ),
    ],
    gap: 'Only the AppImage is replaced in a test, by a file that isn’t one. No test updates on Windows or macOS.',
  },
  {
    id: 'S13',
    promise: 'Dependencies are locked, signed, and free of known holes.',
    tests: [
      ...inFile(
        'architecture/dependencies',
        'every package is locked by its content',
        'every package comes from the registry, not from an address or a folder',
        'no package runs a script while it is installed, and new ones that would are noticed',
      ),
    ],
    gap: 'No check reads signatures or advisories.',
  },
  {
    id: 'S14',
    promise: 'Logs and crash reports contain no titles, guests, or tokens.',
    tests: [
      ...inFile('window/no-secrets', 'none is in the log'),
      ...inFile(
        'main/diagnostics/log',
        'takes no text into any place of any event',
        'that fail are logged by name and code, without what they said',
      ),
    ],
    gap: 'Console output is only searched for tokens and other secrets, not for titles or guests. No crash report is searched.',
  },
  {
    id: 'S15',
    promise: 'Keys such as `__proto__` in answers, files, and requests change no prototype.',
    tests: [
      ...inFile('main/http/send', 'prototype keys are dropped'),
      ...inFile('main/sandbox/guards', 'survives hostile JSON'),
      ...inFile('main/services/answers', 'a key written as %s reaches no prototype'),
      ...inFile('shared/merge/merge', 'names that every object inherits'),
      ...inFile('shared/mutation/fold', 'a field whose name every object inherits'),
      ...inFile('main/exports/inherited-names', 'names that every object inherits'),
      ...inFile('main/ipc/handle', 'a request with arguments of any kind'),
    ],
  },
]
