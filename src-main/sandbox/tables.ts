/**
 * Columns are for queries, and `data` holds the resource as JSON. `changed` is a version stamp in microseconds (see
 * Store.stamp). `updated` and other times are epoch milliseconds. An all-day event's `starts` and `ends` are the UTC
 * midnights of its dates.
 */
const definitions: Record<string, string> = {
  meta: 'key TEXT PRIMARY KEY, value TEXT NOT NULL',
  people: 'id TEXT PRIMARY KEY, email TEXT UNIQUE NOT NULL, name TEXT NOT NULL',
  groups: 'email TEXT NOT NULL, member TEXT NOT NULL, PRIMARY KEY (email, member)',
  calendars: `id TEXT PRIMARY KEY, owner TEXT NOT NULL, is_primary INTEGER NOT NULL DEFAULT 0,
    deleted INTEGER NOT NULL DEFAULT 0, changed INTEGER NOT NULL, data TEXT NOT NULL`,
  entries: `person TEXT NOT NULL, calendar TEXT NOT NULL, deleted INTEGER NOT NULL DEFAULT 0, changed INTEGER NOT NULL,
    data TEXT NOT NULL, PRIMARY KEY (person, calendar)`,
  acl: `calendar TEXT NOT NULL, rule TEXT NOT NULL, role TEXT NOT NULL, changed INTEGER NOT NULL, data TEXT NOT NULL,
    PRIMARY KEY (calendar, rule)`,
  settings:
    'person TEXT NOT NULL, id TEXT NOT NULL, value TEXT NOT NULL, changed INTEGER NOT NULL, PRIMARY KEY (person, id)',
  events: `calendar TEXT NOT NULL, id TEXT NOT NULL, master TEXT, suffix TEXT, starts INTEGER NOT NULL, ends INTEGER NOT NULL,
    all_day INTEGER NOT NULL, repeats INTEGER NOT NULL, type TEXT NOT NULL, uid TEXT NOT NULL, cancelled INTEGER NOT NULL,
    gone INTEGER NOT NULL DEFAULT 0, moved INTEGER NOT NULL DEFAULT 0, imported INTEGER NOT NULL DEFAULT 0,
    created INTEGER NOT NULL, updated INTEGER NOT NULL, changed INTEGER NOT NULL, data TEXT NOT NULL, reminders TEXT,
    PRIMARY KEY (calendar, id)`,
  schedules: `calendar TEXT NOT NULL, id TEXT NOT NULL, until INTEGER NOT NULL, data TEXT NOT NULL,
    PRIMARY KEY (calendar, id, until)`,
  removed_copies: 'calendar TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (calendar, id)',
  conferences: 'calendar TEXT NOT NULL, id TEXT NOT NULL, due INTEGER NOT NULL, PRIMARY KEY (calendar, id)',
  channels: `id TEXT PRIMARY KEY, person TEXT NOT NULL, resource TEXT NOT NULL, resource_id TEXT NOT NULL,
    uri TEXT NOT NULL, address TEXT NOT NULL, token TEXT, expiration INTEGER NOT NULL, message INTEGER NOT NULL`,
  mails: `number INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, sender TEXT NOT NULL, recipient TEXT NOT NULL,
    subject TEXT NOT NULL, calendar TEXT NOT NULL, event TEXT NOT NULL`,
  task_lists: `person TEXT NOT NULL, id TEXT NOT NULL, number INTEGER NOT NULL, changed INTEGER NOT NULL,
    updated INTEGER NOT NULL, data TEXT NOT NULL, PRIMARY KEY (person, id)`,
  tasks: `person TEXT NOT NULL, list TEXT NOT NULL, id TEXT NOT NULL, parent TEXT, position TEXT NOT NULL,
    completed INTEGER, due TEXT, hidden INTEGER NOT NULL DEFAULT 0, deleted INTEGER NOT NULL DEFAULT 0,
    updated INTEGER NOT NULL, changed INTEGER NOT NULL, data TEXT NOT NULL, PRIMARY KEY (person, list, id)`,
  objects: `collection TEXT NOT NULL, id TEXT NOT NULL, number INTEGER NOT NULL, data TEXT NOT NULL,
    PRIMARY KEY (collection, id)`,
  report_contents: 'id TEXT NOT NULL, fragment INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (id, fragment)',
  search_conversions: `number INTEGER PRIMARY KEY, advertiser TEXT NOT NULL, conversion TEXT NOT NULL, timestamp TEXT NOT NULL,
    day INTEGER NOT NULL, engine_account TEXT NOT NULL, data TEXT NOT NULL, UNIQUE (advertiser, conversion, timestamp)`,
  search_reports:
    'id TEXT PRIMARY KEY, person TEXT NOT NULL, due INTEGER NOT NULL, state TEXT NOT NULL, data TEXT NOT NULL',
  counters: 'name TEXT PRIMARY KEY, value INTEGER NOT NULL',
}

const indexes = [
  'events_changed ON events (calendar, changed)',
  'events_starts ON events (calendar, repeats, starts)',
  'events_master ON events (calendar, master) WHERE master IS NOT NULL',
  'events_uid ON events (calendar, uid)',
  'entries_calendar ON entries (calendar)',
  'tasks_order ON tasks (person, list, position, id)',
  'tasks_updated ON tasks (person, list, updated)',
]

export const tables = Object.keys(definitions)

export const schemaSql = [
  ...tables.map((name) => `CREATE TABLE IF NOT EXISTS ${name} (${definitions[name]});`),
  ...indexes.map((index) => `CREATE INDEX IF NOT EXISTS ${index};`),
].join('\n')
