import { z } from 'zod'

/** Questions about the parts of the app outside of its window: global quick add, the tray, and starting at login. */

const name = z.string().max(2_000)

export const desktopSettingsSchema = z.object({
  /** Keys that open quick add from any app, as Electron writes them. Empty for none. */
  shortcut: z.string().max(60),
  startAtLogin: z.boolean(),
  /** At login, start in the tray. */
  startHidden: z.boolean(),
})
export type DesktopSettings = z.output<typeof desktopSettingsSchema>
export const defaultDesktop: DesktopSettings = {
  shortcut: 'Control+Alt+Space',
  startAtLogin: false,
  startHidden: true,
}

/** Context with which the quick-add window reads a line as the main window would. */
export const quickAddOfferSchema = z.object({
  accountId: name,
  email: name,
  zone: z.string().max(100),
  hour12: z.boolean(),
  /** First day of the week: 0 is Sunday. */
  weekStart: z.number().int().min(0).max(6),
  /** Length of a new event in minutes. */
  minutes: z.number().int().min(1).max(1440),
  theme: z.enum(['system', 'light', 'dark']),
  calendars: z.array(z.object({ id: name, name })).max(2_000),
  /** ID of the calendar for events that name none. Absent if none can be edited. */
  calendar: name.optional(),
  lists: z.array(z.object({ id: name, name })).max(2_000),
})
export type QuickAddOffer = z.output<typeof quickAddOfferSchema>

/** A new event or task, as the window stores it. */
export const quickAddItemSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('event'), calendar: name, value: z.record(z.string(), z.unknown()) }),
  z.object({
    kind: z.literal('task'),
    list: name,
    title: z.string().min(1).max(1024),
    due: z.string().max(40).nullable(),
    notes: z.string().max(8192).optional(),
  }),
])
export type QuickAddItem = z.output<typeof quickAddItemSchema>

export const desktopQuestions = {
  'desktop/settings': z.object({}),
  'desktop/change': desktopSettingsSchema.partial(),
  /** The main window hands over what quick add needs, whenever it changes. */
  'quick-add/offer': quickAddOfferSchema,
  /** The quick-add window asks for it. Waits for the main window. */
  'quick-add/context': z.object({}),
  /** Adds an item through the main window. `line`: the typed text, to recognize a repeated submission. */
  'quick-add/submit': z.object({ accountId: name, line: z.string().max(10_000), item: quickAddItemSchema }),
  /** The main window has added it, or says why it couldn’t. */
  'quick-add/added': z.object({ id: z.number().int(), problem: z.string().max(1_000) }),
  /** Hides the quick-add window. */
  'quick-add/close': z.object({}),
  /** The quick-add window needs this many pixels. */
  'quick-add/height': z.object({ height: z.number().int().min(40).max(800) }),
} as const

export interface DesktopState extends DesktopSettings {
  /** Why the shortcut doesn’t work. Empty if it does. */
  shortcutProblem: string
}

export interface DesktopAnswers {
  'desktop/settings': DesktopState
  'desktop/change': DesktopState
  'quick-add/offer': null
  'quick-add/context': QuickAddOffer
  /** `problem` is empty if it was saved. */
  'quick-add/submit': { problem: string }
  'quick-add/added': null
  'quick-add/close': null
  'quick-add/height': null
}

export interface DesktopAnnouncements {
  /** The quick-add window adds something. Answer with `quick-add/added`. */
  'quick-add/add': { id: number; accountId: string; item: QuickAddItem }
}
