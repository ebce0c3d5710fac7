import { parseInstanceId } from '#shared/domain/instances'
import type { JsonObject } from '#shared/json'
import type { DeletedItem } from '../../../src-renderer/replica/api'
import type { Device } from './device'
import type { ModelService } from './service'

/** How a copy of a record is recognized: by the word it was created with, and a list by its title. */
export function madeIn(value: JsonObject): string | undefined {
  return /made (m\d+)\./.exec(String(value.description ?? value.notes ?? ''))?.[1]
}
export const listMade = (title: unknown): string => `list ${String(title)}`

/**
 * Users who each asked for a deleted record that its service can't bring back, without knowing of one another: it's created
 * once for each of them.
 */
export class Claims {
  private readonly claimed = new Map<string, Set<string>>()
  /** Devices whose user restored a record itself, which is one for all of them. */
  private readonly revived = new Map<string, Set<string>>()
  /** IDs of occurrences that may have become events of their own. */
  private readonly alone = new Map<string, Set<string>>()

  constructor(
    private readonly devices: readonly Device[],
    private readonly service: ModelService,
  ) {}

  /** Someone keeps an occurrence that its series no longer has: it becomes an event of its own, with the text of the series. */
  detached(made: string | undefined, occurrenceId: string): void {
    if (made !== undefined) this.alone.set(made, (this.alone.get(made) ?? new Set()).add(occurrenceId))
  }

  /** @param copy which of several that the device's user saw: an open question “is this yours?” shows a record twice */
  add(device: Device, made: string | undefined, copy = 0): void {
    if (made === undefined) return
    const by = this.claimed.get(made) ?? new Set()
    this.claimed.set(made, by.add(`${device.name} ${copy}`))
    // A creation whose answer was lost is repeated, or was just repeated.
    for (const { name, replica } of this.devices)
      if (replica.outbox().some(({ kind, patch }) => kind === 'create' && madeIn(patch) === made)) by.add(`${name} 0`)
    for (const name of this.service.shelves.keys())
      if (name.startsWith('tasks ') && this.service.living(name).some((value) => madeIn(value) === made)) by.add(name)
  }

  /**
   * Someone restores a record of which there is another copy, or will be: whoever created it didn't see that their attempt had
   * arrived.
   */
  restored(device: Device, { id, value }: DeletedItem): void {
    const made = madeIn(value)
    if (made === undefined) return
    if (parseInstanceId(id)) this.detached(made, id)
    this.revived.set(made, (this.revived.get(made) ?? new Set()).add(device.name))
    const isOther = (other: JsonObject): boolean => madeIn(other) === made && other.id !== id
    const there = [...this.service.shelves.keys()].some((name) => this.service.living(name).some(isOther))
    const waits = this.devices.some(({ replica }) =>
      replica.outbox().some(({ base, patch, recordId }) => recordId !== id && madeIn({ ...base, ...patch }) === made),
    )
    if (there || waits) for (const copy of [0, 1]) this.add(device, made, copy)
  }

  /** The maximum number of copies. */
  of(made: string): number {
    const claimed = this.claimed.get(made) ?? new Set()
    // Someone else may have restored what contained it, and so created it again.
    const isRevived = [...(this.revived.get(made) ?? [])].some(
      (name) => !claimed.has(`${name} 0`) && !claimed.has(`${name} 1`),
    )
    return Math.max(1, claimed.size + (isRevived ? 1 : 0)) + (this.alone.get(made)?.size ?? 0)
  }
}
