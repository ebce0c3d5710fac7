import { expect, it } from 'vitest'
import type { RequestArguments } from '#shared/ipc/contract'
import type { PullPage } from '#shared/ipc/sync-questions'
import type { Outcome } from '#shared/mutation/entry'
import { readRecord } from '../../src-main/sync/read'
import type { PlantedBug } from './model/device'
import { Simulation, type People } from './model/simulation'
import { kindOf, type Kind } from './model/tally'

type Push = RequestArguments<'sync/push'>

/** Mistakes that an engine could make, and what the auditor has to call what comes of them. */
const mistakes: [string, Kind, PlantedBug, People?][] = [
  [
    'an edit is written over whatever is there by now',
    'overwritten',
    {
      asks: async (name, args, client) => {
        if (name !== 'sync/push') return args
        const { entry, ...rest } = args as Push
        if (entry.kind !== 'change') return args
        const { collection, parent, recordId } = entry
        const { etag } = await readRecord(client, collection, parent, recordId).catch(() => ({ etag: entry.etag }))
        return { ...rest, entry: { ...entry, etag, unknownOutcome: false } }
      },
    },
  ],
  [
    'a creation whose answer was lost is sent again without a look',
    'duplicated',
    {
      answers: (name, value) => {
        if (name !== 'sync/push') return value
        const outcome = value as Outcome
        return outcome.kind === 'retry' ? { ...outcome, unknown: false } : value
      },
      asks: (name, args) =>
        name === 'sync/push' ? { ...(args as Push), entry: { ...(args as Push).entry, unknownOutcome: false } } : args,
    },
  ],
  [
    'the last record of a page is left out',
    'diverged',
    {
      answers: (name, value) => {
        if (name !== 'sync/pull') return value
        const page = value as PullPage
        return { ...page, records: page.records.slice(0, -1) }
      },
    },
  ],
  [
    'a confirmed deletion is never booked',
    'stuck',
    {
      answers: (name, value) => {
        if (name !== 'sync/push') return value
        const { kind, records } = value as Extract<Outcome, { kind: 'confirmed' }>
        const done = kind === 'confirmed' && records.every((record) => record.value === null)
        const fault = { code: 'unavailable' as const, message: '' }
        return done ? { kind: 'retry', fault, wait: 0, unknown: true, units: 1 } : value
      },
    },
  ],
  [
    'the journal forgets that an edit is a draft',
    'sentUnposted',
    {
      asks: (name, args) => {
        if (name !== 'journal/append') return args
        const { records } = args as RequestArguments<'journal/append'>
        return {
          records: records.map((line) => {
            if (line.kind !== 'entry') return line
            const { held: _held, ...entry } = line.entry
            return { ...line, entry }
          }),
        }
      },
    },
    { campaigns: true },
  ],
  [
    'a record that no etag guards is written without a look at it',
    'overwritten',
    {
      asks: (name, args) => {
        if (name !== 'sync/push') return args
        const { entry, ...rest } = args as Push
        const { collection, parent, recordId: id, base } = entry
        return { ...rest, entry, ...(entry.kind === 'change' && { seen: { collection, parent, id, value: base } }) }
      },
    },
    { campaigns: true },
  ],
  [
    'a made-up id is sent along',
    'leaked',
    {
      asks: (name, args) => {
        if (name !== 'sync/push') return args
        const { entry, ...rest } = args as Push
        const named = entry.collection === 'ads' && entry.kind === 'create'
        const patch = named ? { ...entry.patch, clickThroughUrl: { landingPageId: `local:${entry.id}` } } : entry.patch
        return { ...rest, entry: { ...entry, patch } }
      },
    },
    { campaigns: true },
  ],
  [
    'what a log says of a gap is never read',
    'slippedUntold',
    {
      answers: (name, value) => {
        if (name !== 'sync/pull') return value
        const page = value as PullPage
        return { ...page, records: page.records.filter(({ collection }) => collection !== 'changeLogs') }
      },
    },
    { campaigns: true },
  ],
]

it.each(mistakes)(
  'the auditor finds it when %s',
  async (_name, kind, bug, people) => {
    const found: string[] = []
    for (let seed = 1; seed <= 100 && !found.some((line) => kindOf(line) === kind); seed++) {
      const { problems } = await new Simulation(seed, undefined, { ...people, bug }).run()
      found.push(...problems)
    }
    expect(found.map(kindOf)).toContain(kind)
  },
  120_000,
)
