import type { VirtualClock } from './clock'
import type { Device, ModelJournal } from './device'
import { pickFrom, type Hands } from './hands'
import type { Ledger } from './ledger'
import type { Others } from './others'
import type { Promises } from './promises'

/** A computer's disk at some moment. */
interface Copy {
  data: Device['disk']['data']
  lines: ModelJournal['lines']
  /** The ledger's moment. */
  turn: number
}

interface World {
  clock: VirtualClock
  ledger: Ledger
  promises: Promises
  others: Others
  hands: Hands
  restart: (device: Device) => Promise<void>
  expire: () => void
}

const day = 86_400_000

/** Faults of whole computers: disks that are reset, and days of sleep. */
export class Mishaps {
  private readonly copies = new Map<string, Copy[]>()

  constructor(private readonly world: World) {}

  /** Copies a disk, like a backup or a partial write. */
  copy(device: Device): void {
    const { ledger } = this.world
    const data = Object.fromEntries(
      Object.entries(device.disk.data).map(([name, table]) => [name, new Map<string, unknown>(table)]),
    )
    const copy = { data: data as unknown as Copy['data'], lines: [...device.journal.lines], turn: ledger.moment() }
    const copies = this.copies.get(device.name)
    if (copies) copies.push(copy)
    else this.copies.set(device.name, [copy])
  }

  /** Restores an older database, as after a power loss, or the whole disk. */
  async setBack(device: Device, whole: boolean): Promise<void> {
    const { ledger, promises, hands, restart } = this.world
    const copies = this.copies.get(device.name) ?? []
    if (copies.length === 0) return
    const copy = pickFrom(hands.random, copies)
    hands.trace(whole ? 'older copy' : 'older database', `${device.name} of ${copy.turn}`)
    device.crash()
    for (const [name, table] of Object.entries(copy.data)) {
      const now = device.disk.data[name as keyof Copy['data']] as Map<string, unknown>
      now.clear()
      for (const [key, value] of table as Map<string, unknown>) now.set(key, value)
    }
    if (whole) {
      device.journal.lines = [...copy.lines]
      promises.setBack(device, copy.turn)
      ledger.forget(device.name, copy.turn)
    }
    this.copies.set(
      device.name,
      copies.filter(({ turn }) => turn <= copy.turn),
    )
    await restart(device)
  }

  /** Computers sleep for one to thirty days while others continue. */
  async sleep(): Promise<void> {
    const { clock, hands, others, expire } = this.world
    const days = 1 + Math.floor(hands.random() ** 2 * 30)
    hands.trace('sleep', `${days} days`)
    for (let part = 0; part < 3; part++) {
      clock.time += Math.round((days * day) / 3)
      others.act()
    }
    if (days > 7) expire()
    await clock.pass(2_000)
  }
}
