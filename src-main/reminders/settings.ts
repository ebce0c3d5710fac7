import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import {
  defaultNotifications,
  notificationSettingsSchema,
  type NotificationSettings,
} from '#shared/ipc/reminder-questions'
import { savePrivate } from '../disk/private'

const fileSchema = z.object({ version: z.literal(1), ...notificationSettingsSchema.partial().shape })

/** What people chose about notifications. Main keeps it, because it applies while the window is closed, too. */
export class NotificationChoice {
  readonly #path: string
  #values: NotificationSettings = defaultNotifications
  #writing: Promise<unknown> = Promise.resolve()

  private constructor(userData: string) {
    this.#path = join(userData, 'notifications.json')
  }

  static async open(userData: string): Promise<NotificationChoice> {
    const choice = new NotificationChoice(userData)
    try {
      const { version: _version, ...values } = fileSchema.parse(JSON.parse(await readFile(choice.#path, 'utf8')))
      choice.#values = { ...defaultNotifications, ...values }
    } catch {
      // Nothing was chosen, or it can’t be read.
    }
    return choice
  }

  get values(): NotificationSettings {
    return this.#values
  }

  /** @throws FaultError `storage`, with nothing changed */
  async change(patch: Partial<NotificationSettings>): Promise<NotificationSettings> {
    const work = this.#writing.then(async () => {
      const values = { ...this.#values, ...patch }
      await savePrivate(this.#path, [JSON.stringify({ version: 1, ...values })])
      this.#values = values
      return values
    })
    this.#writing = work.catch(() => undefined)
    return work
  }
}
