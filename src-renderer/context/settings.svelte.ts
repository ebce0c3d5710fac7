import { safeParse } from '#shared/safe-parse'
import { untrack } from 'svelte'
import { z } from 'zod'
import { isMoneyLimit, usualLimits } from '#shared/changes/money-guard'
import { usualHours, workingHoursSchema } from '#shared/domain/working-hours'
import { isJsonObject, sameJson } from '#shared/json'
import { densities } from '../ui/density.svelte'

const calendarView = z.object({
  /** Days of the layout of several days. */
  dayCount: z.number().int().min(2).max(9).catch(3),
  hideWeekends: z.boolean().catch(false),
  /** Pixels of an hour. */
  hourHeight: z.number().min(24).max(120).catch(48),
})
export type CalendarView = z.infer<typeof calendarView>

const conflictRule = z.object({
  collection: z.string(),
  /** Path of a field, with `*` for positions in lists. */
  field: z.string(),
  keep: z.enum(['mine', 'theirs', 'newer']),
  /** Also decides amounts and units. */
  money: z.boolean(),
})
/** How conflicts about a field are resolved without asking. */
export type ConflictRule = z.infer<typeof conflictRule>

const ruledConflict = z.object({
  /** Names the edit that was in conflict. */
  edit: z.string(),
  /** The decision, with the value before both changes: a later conflict of the edit starts from another one. */
  places: z.array(z.object({ path: z.string(), base: z.unknown(), keep: conflictRule.shape.keep })),
  /** True once the user has undone it. */
  undone: z.boolean().optional(),
})
/** A conflict that rules resolved. */
export type RuledConflict = z.infer<typeof ruledConflict>

/** A list without what is damaged in it. */
const validItems = <T>(item: z.ZodType<T>) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((all) =>
      all.flatMap((one) => {
        const { success, data } = safeParse(item, one)
        return success ? [data] : []
      }),
    )

const moneyLimit = (name: keyof typeof usualLimits) =>
  z
    .number()
    .refine((value) => isMoneyLimit(name, value))
    .catch(usualLimits[name])

/** Settings of this window. Damaged and older values fall back field by field. */
const shape = {
  theme: z.enum(['system', 'light', 'dark']).catch('system'),
  density: z.enum(densities).catch('comfortable'),
  /** Keys without a modifier, such as `c` or `j`. */
  singleKeys: z.boolean().catch(true),
  view: z.string().catch('calendar'),
  sidebarOpen: z.boolean().catch(true),
  sidebarWidth: z.number().min(180).max(480).catch(232),
  inspectorWidth: z.number().min(300).max(640).catch(372),
  /** How campaign records are listed, where their kind allows it. */
  campaignLayout: z.enum(['grid', 'timeline', 'matrix']).catch('grid'),
  /** The panel below campaign records, if it's open. */
  campaignPanel: z.enum(['changes', 'findings']).nullable().catch(null),
  /** Campaign records that were listed last, by account, as parameters of a place. */
  campaignPlaces: z.record(z.string(), z.record(z.string(), z.string())).catch({}),
  /** Columns of campaign grids, by kind: the view reads them. */
  sheets: z.unknown().optional(),
  /** Saved views of campaign grids, by account and kind: the view reads them. */
  sheetViews: z.unknown().optional(),
  /** Custom rules, by account: the view reads them. */
  checkRules: z.unknown().optional(),
  /** Columns of imported spreadsheets by kind and header: a path, or empty to ignore the column. */
  sheetHeads: z.record(z.string(), z.record(z.string(), z.string())).catch({}),
  /** Last formulas that filled columns of campaign grids, by kind and path. */
  formulas: z.record(z.string(), z.record(z.string(), z.string())).catch({}),
  /** Changes of money above these limits are asked about before they're posted. */
  moneyLimits: z.object({ times: moneyLimit('times'), amount: moneyLimit('amount') }).catch(usualLimits),
  conflictRules: z.record(z.string(), validItems(conflictRule)).catch({}),
  /** By account. If the user undoes one, they're asked about it. */
  ruledConflicts: z.record(z.string(), validItems(ruledConflict)).catch({}),
  calendarLayout: z.enum(['day', 'days', 'workWeek', 'week', 'twoWeeks', 'month', 'agenda', 'year']).catch('week'),
  /** How the calendar of each account is shown, by its ID. */
  calendarViews: z.record(z.string(), calendarView).catch({}),
  /** Named sets of calendars, by account: the calendar reads them. */
  calendarSets: z.unknown().optional(),
  /** IDs of calendars in the order of the sidebar, by account. */
  calendarOrders: z.record(z.string(), z.array(z.string())).catch({}),
  /** Calendars switched off on this computer. */
  hiddenCalendars: z.array(z.string()).catch([]),
  /** Shows the simulator. */
  developer: z.boolean().catch(false),
  showTasks: z.boolean().catch(true),
  /** Shows tasks to plan next to the calendar. */
  taskPane: z.boolean().catch(false),
  /** Repeating tasks that were continued once, by account. If the user undoes that, they stay. */
  continuedTasks: z.record(z.string(), z.array(z.string())).catch({}),
  showDeclined: z.boolean().catch(true),
  weekNumbers: z.boolean().catch(false),
  /** By weekday, Sunday first. Null for a day off. */
  workingHours: workingHoursSchema.catch([...usualHours]),
  weekStart: z.enum(['service', '0', '1', '6']).catch('service'),
  hourCycle: z.enum(['service', '12', '24']).catch('service'),
  /** `service`, `computer` or an IANA name. */
  zone: z.string().catch('service'),
  /** The computer’s zone when Flightplan last ran. */
  computerZone: z.string().catch(''),
  /** A second column of times; empty for none. */
  secondZone: z.string().catch(''),
  /** A third one. */
  thirdZone: z.string().catch(''),
} as const

const schema = z.object(shape)
export type SettingValues = z.infer<typeof schema>
export const settingsKey = 'flightplan.settings'

/** State of each window, independent of other windows. */
const ownOfWindow: ReadonlySet<string> = new Set<keyof SettingValues>([
  'view',
  'sidebarOpen',
  'sidebarWidth',
  'inspectorWidth',
  'campaignLayout',
  'campaignPanel',
  'campaignPlaces',
  'calendarLayout',
  'calendarViews',
  'taskPane',
])

export function parseSettings(text: string | null): SettingValues {
  let stored: unknown = {}
  try {
    stored = JSON.parse(text ?? '{}')
  } catch {
    // Damaged: start from the defaults.
  }
  return schema.parse(isJsonObject(stored) ? stored : {})
}

export class Settings {
  values = $state<SettingValues>(parseSettings(null))
  readonly #storage: Pick<Storage, 'getItem' | 'setItem'>
  readonly #unsaved: () => void
  #isSaved = true
  /** Settings that couldn't be stored yet. */
  #unstored: Partial<SettingValues> = {}

  /** @param unsaved called when settings can’t be stored, and not again until they were */
  constructor(storage: Pick<Storage, 'getItem' | 'setItem'>, unsaved: () => void = () => undefined) {
    this.#storage = storage
    this.#unsaved = unsaved
    this.values = parseSettings(storage.getItem(settingsKey))
  }

  set(patch: Partial<SettingValues>): void {
    Object.assign(this.values, patch)
    Object.assign(this.#unstored, patch)
    try {
      // Another window may have stored other settings since.
      const stored = parseSettings(this.#storage.getItem(settingsKey))
      this.#storage.setItem(
        settingsKey,
        untrack(() => JSON.stringify({ ...stored, ...this.#unstored })),
      )
      this.#unstored = {}
      this.#isSaved = true
    } catch {
      // They stay in memory.
      if (this.#isSaved) untrack(this.#unsaved)
      this.#isSaved = false
    }
  }

  /** Takes over what another window has stored. */
  readAgain(): void {
    const stored = { ...parseSettings(this.#storage.getItem(settingsKey)), ...this.#unstored }
    const changed = Object.entries(stored).filter(
      ([name, value]) => !ownOfWindow.has(name) && !sameJson(value, this.values[name as keyof SettingValues]),
    )
    Object.assign(this.values, Object.fromEntries(changed))
  }

  /** Deletes what any setting holds under the ID of an account that was removed. */
  forget(accountId: string): void {
    const patch: Record<string, unknown> = {}
    for (const [name, stored] of Object.entries(this.values)) {
      if (!isJsonObject(stored) || !Object.hasOwn(stored, accountId)) continue
      const { [accountId]: _gone, ...rest } = stored
      patch[name] = rest
    }
    if (Object.keys(patch).length > 0) this.set(patch)
  }
}
