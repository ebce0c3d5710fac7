import { createHash } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { comingSchema } from '#shared/ipc/reminder-questions'
import { SerialQueue } from '#shared/serial-queue'
import { privateFolder, savePrivate } from '../disk/private'
import type { Schedule } from './scheduler'

const fileSchema = comingSchema.extend({
  version: z.literal(1),
  accountId: z.string().min(1).max(500),
  rang: z.record(z.string().max(4000), z.number()),
  snoozed: z.record(z.string().max(4000), z.number()),
})

/** A schedule per account, so that reminders ring offline and before the window has read its data. */
export class ReminderFiles {
  readonly #folder: string
  readonly #waiting = new Map<string, Schedule>()
  readonly #order = new SerialQueue()

  constructor(userData: string) {
    this.#folder = join(userData, 'reminders')
  }

  /** A file that can’t be read is ignored: the window hands over its content again. */
  async read(): Promise<Map<string, Schedule>> {
    const names = await readdir(this.#folder).catch(() => [])
    const schedules = new Map<string, Schedule>()
    for (const name of names.filter((name) => name.endsWith('.json'))) {
      try {
        const text = await readFile(join(this.#folder, name), 'utf8')
        const { version: _version, accountId, ...schedule } = fileSchema.parse(JSON.parse(text))
        if (this.#nameOf(accountId) === name) schedules.set(accountId, schedule)
      } catch {
        // Damaged, or from a newer version.
      }
    }
    return schedules
  }

  /** Serializes writes, and skips a schedule that a later one replaces. On a full disk, it’s only in memory. */
  keep(accountId: string, schedule: Schedule): void {
    const queued = this.#waiting.has(accountId)
    this.#waiting.set(accountId, schedule)
    if (queued) return
    void this.#order.run(async () => {
      const latest = this.#waiting.get(accountId)
      this.#waiting.delete(accountId)
      if (!latest) return
      const text = JSON.stringify({ version: 1, accountId, ...latest })
      await privateFolder(this.#folder).catch(() => undefined)
      await savePrivate(join(this.#folder, this.#nameOf(accountId)), [text]).catch(() => undefined)
    })
  }

  forget(accountId: string): void {
    this.#waiting.delete(accountId)
    void this.#order.run(() => rm(join(this.#folder, this.#nameOf(accountId)), { force: true }).catch(() => undefined))
  }

  async settled(): Promise<void> {
    await this.#order.idle()
  }

  /** IDs may have characters that aren’t allowed in file names. */
  #nameOf(accountId: string): string {
    return `${createHash('sha256').update(accountId).digest('hex').slice(0, 24)}.json`
  }
}
