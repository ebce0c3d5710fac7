import { createSubscriber } from 'svelte/reactivity'
import { collectionOf, type CollectionName } from '#shared/domain/collections'
import type { Replica, TableQuery, Topic } from '../replica/api'

/** Runs before the next paint, or soon where nothing is painted (hidden window). */
function beforePaint(run: () => void): void {
  if (document.hidden) setTimeout(run, 16)
  else requestAnimationFrame(run)
}

/**
 * The same replica whose reads are tracked by Svelte: an effect, derived or template that read a topic runs again when
 * the replica tells of that topic, at most once a frame.
 */
export function liveReplica(replica: Replica): Replica {
  const known = live.get(replica)
  if (known) return known
  const made = makeLive(replica)
  live.set(replica, made)
  return made
}

const live = new WeakMap<Replica, Replica>()

function makeLive(replica: Replica): Replica {
  const updates = new Map<Topic, Set<() => void>>()
  const subscribers = new Map<Topic, () => void>()
  const dirty = new Set<Topic>()

  const flush = (): void => {
    const topics = [...dirty]
    dirty.clear()
    for (const topic of topics) for (const update of [...(updates.get(topic) ?? [])]) update()
  }
  replica.subscribe((topics) => {
    if (dirty.size === 0 && topics.size > 0) beforePaint(flush)
    for (const topic of topics) dirty.add(topic)
  })

  const track = (topic: Topic): void => {
    let subscribe = subscribers.get(topic)
    if (!subscribe) {
      subscribe = createSubscriber((update) => {
        const set = updates.get(topic) ?? new Set()
        updates.set(topic, set.add(update))
        return () => set.delete(update)
      })
      subscribers.set(topic, subscribe)
    }
    subscribe()
  }

  const reads: Partial<Record<keyof Replica, readonly Topic[]>> = {
    items: ['events', 'calendarList'],
    outbox: ['outbox'],
    history: ['history'],
    notices: ['notices'],
    undoable: ['undo'],
    status: ['status'],
    readItem: ['events'],
    exceptions: ['events'],
    eventKeys: ['events'],
    downloads: ['downloads'],
  }

  return new Proxy(replica, {
    get(target, name: keyof Replica) {
      for (const topic of reads[name] ?? []) track(topic)
      const member = Reflect.get(target, name, target) as unknown
      if (name === 'rows') {
        return (collection: Exclude<CollectionName, 'events'>, parent?: string) => {
          track(collection)
          return target.rows(collection, parent)
        }
      }
      if (name === 'peek' || name === 'read') {
        return (key: string) => {
          track(collectionOf(key))
          return target[name](key)
        }
      }
      if (name === 'table') {
        return (collection: CollectionName, ...more: [TableQuery?, AbortSignal?]) => {
          track(collection)
          return target.table(collection, ...more)
        }
      }
      return typeof member === 'function' ? (member as (...args: unknown[]) => unknown).bind(target) : member
    },
  })
}
