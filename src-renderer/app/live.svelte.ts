import { collectionOf, type CollectionName } from '#shared/domain/collections'
import type { Replica, TableQuery, Topic } from '../replica/api'

/** Runs before the next paint, or soon if the window is hidden and doesn't paint. */
function beforePaint(run: () => void): void {
  if (document.hidden) setTimeout(run, 16)
  else requestAnimationFrame(run)
}

/**
 * Wraps a replica so that Svelte tracks its reads. Effects, derived values, and templates that read a topic rerun when
 * the topic changes, at most once per frame.
 */
export function liveReplica(replica: Replica): Replica {
  const known = live.get(replica)
  if (known) return known
  const made = makeLive(replica)
  live.set(replica, made)
  return made
}

const live = new WeakMap<Replica, Replica>()

const others: Readonly<Record<Exclude<Topic, CollectionName>, true>> = {
  outbox: true,
  history: true,
  deleted: true,
  status: true,
  notices: true,
  undo: true,
  downloads: true,
}

/**
 * Counts changes of one topic. Avoids an effect per read, because a scrolling grid reads hundreds of records per frame.
 */
class ChangeCount {
  times = $state(0)
}

function makeLive(replica: Replica): Replica {
  // Notify all topics at once, so that changes made by an effect don't rerun it.
  const counters = new Map<string, ChangeCount>(
    [...replica.facts.all.map(({ name }) => name), ...Object.keys(others)].map((topic) => [topic, new ChangeCount()]),
  )
  const dirty = new Set<Topic>()

  const flush = (): void => {
    const topics = [...dirty]
    dirty.clear()
    for (const topic of topics) {
      const one = counters.get(topic)
      if (one) one.times++
    }
  }
  replica.subscribe((topics) => {
    if (dirty.size === 0 && topics.size > 0) beforePaint(flush)
    for (const topic of topics) dirty.add(topic)
  })

  const track = (topic: Topic): void => void counters.get(topic)?.times

  const reads: Partial<Record<keyof Replica, readonly Topic[]>> = {
    items: ['events', 'calendarList'],
    outbox: ['outbox'],
    history: ['history'],
    deleted: ['deleted', 'events', 'tasks', 'tasklists'],
    notices: ['notices'],
    undoable: ['undo'],
    undoSteps: ['undo'],
    status: ['status'],
    readItem: ['events'],
    exceptions: ['events'],
    eventKeys: ['events'],
    downloads: ['downloads'],
    chosenDownloads: ['downloads'],
  }
  /** Reads by their topic. */
  const tracked = {
    rows: (collection: Exclude<CollectionName, 'events'>, parent?: string) => {
      track(collection)
      return replica.rows(collection, parent)
    },
    peek: (key: string) => {
      track(collectionOf(key))
      return replica.peek(key)
    },
    peekField: (key: string, path: string) => {
      track(collectionOf(key))
      return replica.peekField(key, path)
    },
    realKey: (key: string) => {
      track(collectionOf(key))
      return replica.realKey(key)
    },
    read: (key: string) => {
      track(collectionOf(key))
      return replica.read(key)
    },
    table: (collection: CollectionName, ...more: [TableQuery?, AbortSignal?]) => {
      track(collection)
      return replica.table(collection, ...more)
    },
  } satisfies Partial<Replica>

  return new Proxy(replica, {
    get(target, name: keyof Replica) {
      if (Object.hasOwn(tracked, name)) return tracked[name as keyof typeof tracked]
      for (const topic of reads[name] ?? []) track(topic)
      const member = Reflect.get(target, name, target) as unknown
      return typeof member === 'function' ? (member as (...args: unknown[]) => unknown).bind(target) : member
    },
  })
}
