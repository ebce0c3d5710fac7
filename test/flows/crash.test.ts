import { describe, expect, it } from 'vitest'
import { seeded, VirtualClock } from './model/clock'
import { Device } from './model/device'
import { ModelService } from './model/service'

const times = {
  start: { dateTime: '2026-03-10T09:00:00Z', timeZone: 'UTC' },
  end: { dateTime: '2026-03-10T10:00:00Z', timeZone: 'UTC' },
}

/** Each job works on a running device and returns what the service must have in the end, once acknowledged. */
const jobs: Record<string, (device: Device, service: ModelService) => Promise<() => boolean>> = {
  'a new event': async ({ replica }, service) => {
    await replica.edit([{ kind: 'create', collection: 'events', parent: 'me', value: { summary: 'New', ...times } }], {
      label: 'New',
    })
    return () => service.living('events me').filter((value) => value.summary === 'New').length === 1
  },
  'a new task': async ({ replica }, service) => {
    await replica.edit([{ kind: 'create', collection: 'tasks', parent: 'inbox', value: { title: 'New' } }], {
      label: 'New',
    })
    return () => service.living('tasks inbox').filter((value) => value.title === 'New').length === 1
  },
  'a change': async ({ replica }, service) => {
    const row = replica.rows('tasks', 'inbox').find((one) => one.value!.notes === 'there')!
    await replica.edit([{ kind: 'change', key: row.key, patch: { title: 'Changed' } }], { label: 'Change' })
    return () => service.living('tasks inbox').some((value) => value.notes === 'there' && value.title === 'Changed')
  },
  'a deletion': async ({ replica }, service) => {
    const row = replica.rows('tasks', 'inbox').find((one) => one.value!.notes === 'there')!
    await replica.edit([{ kind: 'delete', key: row.key }], { label: 'Delete' })
    return () => !service.living('tasks inbox').some((value) => value.notes === 'there')
  },
  'a list with a task in it': async ({ replica }, service) => {
    const { keys } = await replica.edit(
      [{ kind: 'create', collection: 'tasklists', parent: null, value: { title: 'List' } }],
      { label: 'List' },
    )
    const parent = replica.peek(keys[0]!)!.id
    await replica.edit([{ kind: 'create', collection: 'tasks', parent, value: { title: 'Inside' } }], {
      label: 'Inside',
    })
    return () => {
      const lists = service.living('tasklists').filter((value) => value.title === 'List')
      return lists.length === 1 && service.living(`tasks ${String(lists[0]!.id)}`).length === 1
    }
  },
}

interface World {
  clock: VirtualClock
  service: ModelService
  device: Device
}

async function world(): Promise<World> {
  const clock = new VirtualClock()
  const service = new ModelService(() => clock.time)
  const device = new Device('one', service, clock, seeded(7))
  await device.start()
  await clock.pass(1_000)
  await device.replica.edit(
    [{ kind: 'create', collection: 'tasks', parent: 'inbox', value: { title: 'Old', notes: 'there' } }],
    { label: 'Old' },
  )
  await device.quiesce()
  return { clock, service, device }
}

/** Runs a job and crashes the window at its n-th await. @returns undefined if it never got there */
async function dieAt(
  name: string,
  moment: 'write' | 'ask',
  n: number,
): Promise<{ kept: boolean | null; clean: boolean } | undefined> {
  const { clock, service, device } = await world()
  let left = n
  let died = false
  const tick = (): void => {
    if (left-- !== 0) return
    died = true
    device.crash()
  }
  if (moment === 'write') device.store.beforeWrite = tick
  else device.beforeAnswer = tick
  let holds: (() => boolean) | undefined
  jobs[name]!(device, service).then(
    (check) => (holds = check),
    // A crashed window acknowledges nothing.
    () => undefined,
  )
  await clock.pass(5_000)
  if (!died) return undefined
  device.beforeAnswer = null
  await device.start()
  await clock.pass(1_000)
  await device.quiesce()
  const { unsent } = device.replica.status
  const twice = ['New', 'List', 'Inside'].some((title) => {
    const all = [...service.shelves.keys()].flatMap((shelf) =>
      /^(tasks|tasklists|events)/.test(shelf) ? service.living(shelf) : [],
    )
    return all.filter((value) => value.title === title || value.summary === title).length > 1
  })
  return { kept: holds ? holds() : null, clean: unsent === 0 && !twice }
}

describe.each(Object.keys(jobs))('a window crash during %s', (name) => {
  it.each(['write', 'ask'] as const)(
    'loses nothing acknowledged and duplicates nothing, at every %s it waits for',
    async (moment) => {
      let points = 0
      for (; ; points++) {
        const ended = await dieAt(name, moment, points)
        if (!ended) break
        expect({ point: points, ...ended, kept: ended.kept ?? true }).toEqual({
          point: points,
          kept: true,
          clean: true,
        })
      }
      expect(points).toBeGreaterThan(2)
    },
  )
})
