import { join } from 'node:path'
import { z } from 'zod'
import {
  defaultDesktop,
  desktopSettingsSchema,
  type DesktopSettings,
  type DesktopState,
} from '#shared/ipc/desktop-questions'
import { KeptFile } from '../disk/kept-file'
import type { HandlersOf } from '../ipc/handle'
import type { QuickAddRelay } from './quick-add-relay'
import type { Shell } from './shell'

const fileSchema = z.object({ version: z.literal(1), ...desktopSettingsSchema.partial().shape })

/** Settings of the parts outside of the window, applied to the system. */
export class Desktop {
  readonly #file: KeptFile<z.output<typeof fileSchema>>
  readonly #shell: Pick<Shell, 'setShortcut' | 'setLogin'>
  #values: DesktopSettings = defaultDesktop
  #problem = ''

  private constructor(userData: string, shell: Pick<Shell, 'setShortcut' | 'setLogin'>) {
    this.#file = new KeptFile(join(userData, 'desktop.json'), fileSchema, { missing: { version: 1 } })
    this.#shell = shell
  }

  static async open(userData: string, shell: Pick<Shell, 'setShortcut' | 'setLogin'>): Promise<Desktop> {
    const desktop = new Desktop(userData, shell)
    const { version: _version, ...chosen } = await desktop.#file.read()
    desktop.#values = { ...defaultDesktop, ...chosen }
    desktop.#problem = shell.setShortcut(desktop.#values.shortcut)
    return desktop
  }

  get state(): DesktopState {
    return { ...this.#values, shortcutProblem: this.#problem }
  }

  /** @throws FaultError `storage` */
  async change(patch: Partial<DesktopSettings>): Promise<DesktopState> {
    const values = { ...this.#values, ...patch }
    if (patch.startAtLogin !== undefined || patch.startHidden !== undefined)
      await this.#shell.setLogin(values.startAtLogin, values.startHidden)
    await this.#file.change((kept) => ({ ...kept, ...patch }))
    this.#values = values
    if (patch.shortcut !== undefined) this.#problem = this.#shell.setShortcut(values.shortcut)
    return this.state
  }
}

export interface DesktopDeps {
  desktop: Desktop
  quickAdd: QuickAddRelay
}

/** Handlers of requests about the parts outside of the window. */
export function desktopHandlers({
  desktop,
  quickAdd,
  shell,
}: DesktopDeps & { shell: Shell }): HandlersOf<'desktop' | 'quick-add'> {
  return {
    'desktop/settings': () => desktop.state,
    'desktop/change': (patch) => desktop.change(patch),
    'quick-add/offer': (offer) => quickAdd.offer(offer),
    'quick-add/context': () => quickAdd.context(),
    'quick-add/submit': async ({ accountId, line, item }) => ({
      problem: await quickAdd.submit(accountId, line, item),
    }),
    'quick-add/added': ({ id, problem }) => quickAdd.added(id, problem),
    'quick-add/close': () => shell.closeQuickAdd(),
    'quick-add/height': ({ height }) => shell.sizeQuickAdd(height),
  }
}
