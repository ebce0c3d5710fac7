import { valueAt } from '#shared/fields/path'
import { counted } from '../../ui/counted'
import type { Row, Upon } from '../../replica/api'
import { sameValue } from '../../replica/rebase'
import { alongWords, movingAlong } from './nested-flights'
import { bulkWrite, type BulkWork } from './bulk'
import { movedPlaces } from './flights'
import type { CampaignsModel } from './model.svelte'
import { whyClosed } from './parse-cell'
import { aboutWords, readAll } from './records'
import type { CellEdit } from './writing'

/** Part of a flight to move: all of it, or one end. */
export type Grip = 'move' | 'start' | 'end'

/** Paths of the selected dates and times, or of flights if whole rows are selected. */
export function selectedDates({ selection, columns, kind }: CampaignsModel): string[] {
  const { left, right } = selection.range
  if (selection.wholeRows) return kind.flight ? [kind.flight.start, kind.flight.end] : []
  return columns.slice(left, right + 1).flatMap((one) => (['date', 'moment'].includes(one.kind) ? [one.path] : []))
}

/** Moves the selected dates by a number of days. Empty cells stay empty. */
export async function shiftDates(model: CampaignsModel, days: number): Promise<void> {
  const keys = model.selectedKeys()
  if (model.selection.wholeRows) return shiftFlights(model, keys, 'move', days)
  const paths = selectedDates(model)
  const text = `${days < 0 ? '-' : '+'}${Math.abs(days)}d`
  const edits = async ({ signal, earlierEdits }: BulkWork): Promise<CellEdit[]> => {
    // A key that is pressed twice moves them twice.
    await earlierEdits
    const rows = await readAll(model.app.replica, keys, { signal })
    return [...rows].flatMap(([key, { value }]) =>
      paths.filter((path) => (valueAt(value!, path) ?? '') !== '').map((path) => ({ key, path, text })),
    )
  }
  await bulkWrite(model, { title: 'Moving dates', verb: 'Move', past: 'changed', edits })
}

const gripWords: Readonly<Record<Grip, string>> = { move: '', start: 'the start of ', end: 'the end of ' }

/** `2 days later` */
export const shiftWords = (days: number): string =>
  `${counted(Math.abs(days), 'day')} ${days < 0 ? 'earlier' : 'later'}`

/**
 * Moves flights, or one of their ends, by a number of days. A flight that moves as a whole takes its pricing periods and other
 * dates along, and asks whether the flights inside of it move, too.
 * @param seen what their author saw of the ends, by key. Flights that someone else changed since are skipped
 */
export async function shiftFlights(
  model: CampaignsModel,
  keys: readonly string[],
  grip: Grip,
  days: number,
  seen?: ReadonlyMap<string, Upon>,
): Promise<void> {
  const along = grip === 'move' ? await movingAlong(model, keys) : []
  if (!along) return
  const all = [...keys, ...along.map(({ key }) => key)]
  let own: Row[] = []
  const edits = async ({ signal, earlierEdits }: BulkWork): Promise<CellEdit[]> => {
    // A key that is pressed twice moves them twice.
    await earlierEdits
    const rows = await readAll(model.app.replica, all, { signal })
    own = keys.flatMap((key) => rows.get(key) ?? [])
    return [...rows].flatMap(([key, row]) => flightEdits(model, row, grip, days, seen?.get(key)))
  }
  const about = (what: string): string =>
    along.length === 0 ? what : `${aboutWords(model, own)} with ${alongWords(model, along)}`
  await bulkWrite(model, {
    ...{ title: 'Moving flights', verb: 'Move', past: 'moved', edits },
    records: 'flight',
    label: (what) => `Move ${gripWords[grip]}${about(what)} ${shiftWords(days)}`,
  })
}

function flightEdits(
  { app, context }: CampaignsModel,
  { key, id, collection, value, remoteSeq }: Row,
  grip: Grip,
  days: number,
  seen: Upon | undefined,
): CellEdit[] {
  const facts = app.replica.facts.of(collection)
  const { flight } = facts
  if (!flight || !value) return []
  const ends = [flight.start, flight.end]
  const upon = (path: string): Pick<CellEdit, 'upon'> => (seen && ends.includes(path) ? { upon: seen } : {})
  const places = movedPlaces(facts, value, days, context.zone)
  // A flight moves as a whole or not at all.
  const isUnseen = (path: string): boolean => !sameValue(valueAt(value, path), seen?.values?.[path])
  const unseen =
    seen && remoteSeq > (seen.seq ?? -1) ? places.filter(({ path }) => ends.includes(path) && isUnseen(path)) : []
  const wanted =
    unseen.length > 0
      ? unseen
      : places.filter(({ path }) =>
          grip !== 'move'
            ? path === flight[grip]
            : ends.includes(path) || whyClosed(facts, path, value, id) === undefined,
        )
  return wanted.map((place) => ({ key, ...place, ...upon(place.path) }))
}
