import { serviceNames, tableOf, versionsOf } from '#shared/wire/services'
import { serviceWord } from '#shared/wire/vocabulary'

/** Descriptions of permissions on the consent page. */
const words: Readonly<Record<string, string>> = {
  calendar: 'See, change, share and delete your calendars and events',
  'calendar.readonly': 'See your calendars and events',
  'calendar.acls': 'See and change who your calendars are shared with',
  'calendar.acls.readonly': 'See who your calendars are shared with',
  'calendar.app.created': 'Make calendars of its own and work in those only',
  'calendar.calendarlist': 'Change which calendars are in your list',
  'calendar.calendarlist.readonly': 'See which calendars are in your list',
  'calendar.calendars': 'Make, describe and delete calendars',
  'calendar.calendars.readonly': 'See how your calendars are described',
  'calendar.events': 'See and change events in all your calendars',
  'calendar.events.readonly': 'See events in all your calendars',
  'calendar.events.freebusy': 'See when you and others are free',
  'calendar.events.owned': 'See and change events in calendars you own',
  'calendar.events.owned.readonly': 'See events in calendars you own',
  'calendar.events.public.readonly': 'See events in public calendars',
  'calendar.freebusy': 'See when you are busy',
  'calendar.settings.readonly': 'See your calendar settings',
  tasks: 'See, change and delete your tasks and task lists',
  'tasks.readonly': 'See your tasks and task lists',
  trafficking: 'Run and download campaign reports',
  dfatrafficking: 'See and change campaigns, placements, ads and creatives',
  ddmconversions: 'Send and correct conversions',
  search: 'See and change conversions and run reports of search campaigns',
}

/** Every permission of the wire tables, in their order. */
export const knownScopes: readonly string[] = [
  ...new Set(
    serviceNames.flatMap((service) =>
      versionsOf(service).flatMap((version) => tableOf(service, version).methods.flatMap(({ scopes = [] }) => scopes)),
    ),
  ),
]

export const wordsOfScope = (scope: string): string => words[scope] ?? scope

/** True if a permission includes another one below it: `calendar` includes `calendar.events`. */
export const covers = (held: string, wanted: string): boolean => wanted === held || wanted.startsWith(`${held}.`)

/** A permission as the tables name it: the last part of one that is written as an address, in neutral words. */
const neutral = (scope: string): string => serviceWord(scope.split('/').at(-1)!, 'neutral')

/** Distinct permissions of a space-separated list. Undefined if one is unknown. */
export function readScopes(text: string): string[] | undefined {
  const names = [...new Set(text.split(/\s+/).filter(Boolean).map(neutral))]
  return names.every((name) => knownScopes.includes(name)) ? names : undefined
}
