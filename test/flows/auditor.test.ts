import { expect, it } from 'vitest'
import type { RequestArguments } from '#shared/ipc/contract'
import type { PullPage } from '#shared/ipc/sync-questions'
import type { Outcome } from '#shared/mutation/entry'
import { readRecord } from '../../src-main/sync/read'
import type { PlantedBug } from './model/device'
import { Simulation, type People } from './model/simulation'
import { kindOf, type Kind } from './model/tally'
import { shrink } from './shrink'

type Push = RequestArguments<'sync/push'>

/** The newest pulled etags, by record. */
const arrived = new Map<string, string>()

/** Possible engine bugs, and what the auditor must report for each. */
const mistakes: [string, Kind, PlantedBug, People?, RegExp?][] = [
  [
    'an edit overwrites the current record',
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
    'a creation with a lost response is resent without a lookup',
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
    'the last record of a page is dropped',
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
    'a confirmed deletion is never recorded',
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
    'a record without an etag is written without reading it',
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
    'a local ID is sent',
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
    'lost updates in the change log are ignored',
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
  [
    'an edit adopts the etag of a later pull',
    'overwritten',
    {
      asks: (name, args) => {
        if (name !== 'sync/push') return args
        const { entry, ...rest } = args as Push
        const key = `${entry.parent} ${entry.recordId}`
        const etag = entry.kind === 'change' ? (arrived.get(key) ?? entry.etag) : entry.etag
        return { ...rest, entry: { ...entry, ...(etag !== undefined && { etag }) } }
      },
      answers: (name, value) => {
        if (name === 'sync/pull')
          for (const { parent, id, etag } of (value as PullPage).records) if (etag) arrived.set(`${parent} ${id}`, etag)
        return value
      },
    },
    { quarrel: true },
    /heard after the edit/,
  ],
  [
    'an edit of one field clears another',
    'lost',
    {
      asks: (name, args) => {
        if (name !== 'sync/push') return args
        const { entry, ...rest } = args as Push
        const clears = entry.collection === 'tasks' && entry.kind === 'change'
        return { ...rest, entry: clears ? { ...entry, patch: { notes: 'Nothing', ...entry.patch } } : entry }
      },
    },
    {},
    /taken away by its own author/,
  ],
]

/** Seeds that show what most don't, to save time. */
const soonest = new Map([
  ['a record without an etag is written without reading it', 12],
  ['lost updates in the change log are ignored', 40],
  ['an edit of one field clears another', 21],
])

it.each(mistakes)('the auditor detects when %s', async (name, kind, bug, people, form = /./) => {
  const found: string[] = []
  const first = soonest.get(name) ?? 1
  for (let seed = first; seed < first + 100 && found.length === 0; seed++) {
    arrived.clear()
    const { problems } = await new Simulation(seed, undefined, { ...people, bug }).run()
    found.push(...problems.filter((line) => kindOf(line) === kind && form.test(line)))
  }
  expect(found).not.toEqual([])
})

it('a failing seed shrinks to a few steps', async () => {
  const forgets: PlantedBug = {
    answers: (name, value) =>
      name === 'sync/pull'
        ? {
            ...(value as PullPage),
            records: (value as PullPage).records.filter(({ collection }) => collection !== 'tasks'),
          }
        : value,
  }
  const shrunk = await shrink(1, 12, { bug: forgets })
  expect(shrunk?.verdict.problems.map(kindOf)).toContain('diverged')
  expect(shrunk?.only.length).toBeLessThanOrEqual(2)
  const { problems } = await new Simulation(1, 12, { bug: forgets }).run(new Set(shrunk!.only))
  expect(problems).toEqual(shrunk!.verdict.problems)
})
