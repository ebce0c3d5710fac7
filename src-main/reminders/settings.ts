import { join } from 'node:path'
import { z } from 'zod'
import {
  defaultNotifications,
  notificationSettingsSchema,
  type NotificationSettings,
} from '#shared/ipc/reminder-questions'
import { KeptFile } from '../disk/kept-file'

const fileSchema = z.object({ version: z.literal(1), ...notificationSettingsSchema.partial().shape })

/** Settings of notifications. In main, because they also apply while the window is closed. */
export class NotificationChoice {
  readonly #file: KeptFile<z.output<typeof fileSchema>>
  #values: NotificationSettings = defaultNotifications

  private constructor(userData: string) {
    this.#file = new KeptFile(join(userData, 'notifications.json'), fileSchema, { missing: { version: 1 } })
  }

  static async open(userData: string): Promise<NotificationChoice> {
    const choice = new NotificationChoice(userData)
    choice.#take(await choice.#file.read())
    return choice
  }

  get values(): NotificationSettings {
    return this.#values
  }

  /** @throws FaultError `storage`, with nothing changed */
  async change(patch: Partial<NotificationSettings>): Promise<NotificationSettings> {
    this.#take(await this.#file.change((kept) => ({ ...kept, ...patch })))
    return this.#values
  }

  #take({ version: _version, ...chosen }: z.output<typeof fileSchema>): void {
    this.#values = { ...defaultNotifications, ...chosen }
  }
}
