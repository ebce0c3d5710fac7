import { z } from 'zod'
import { account } from './account-questions'

const color = z.string().regex(/^#[0-9a-f]{6}$/i)
const name = z.string().trim().min(1).max(254)
/** Minutes before the start. */
const reminders = z.array(z.number().int().min(0).max(40_320)).max(5)
const one = account.extend({ id: z.string().max(200) })

/** A calendar on the web that’s shown next to an account’s own ones. */
export interface Subscription {
  /** ID of its calendar. */
  id: string
  address: string
  /** True if the user entered it, and it’s in the local network. */
  typed: boolean
  name: string
  color: string
  /** Minutes before the start of each event. */
  reminders: readonly number[]
  /** True if reminders that its events have count, too. */
  alarms: boolean
  /** Number of events of the copy on this computer, series counted once. */
  events: number
  /** When the copy was last found to be up to date, in epoch milliseconds. */
  currentAt: number
  /** Why the last attempt failed. The last good copy is still there. */
  problem?: string
  refreshing: boolean
}

export const subscriptionQuestions = {
  'subscriptions/list': account,
  /**
   * Downloads a calendar, then adds it. Joins an existing one with the same address.
   * `typed`: the user entered the address. Others may not lead into the local network.
   */
  'subscriptions/add': account.extend({
    address: z.string().max(5_000),
    typed: z.boolean(),
    name: name.optional(),
    color,
    reminders,
    alarms: z.boolean().optional(),
  }),
  'subscriptions/change': one.extend({
    name: name.optional(),
    color: color.optional(),
    reminders: reminders.optional(),
    alarms: z.boolean().optional(),
  }),
  /** Downloads one calendar again, or all of an account. A failure is part of its state. */
  'subscriptions/refresh': account.extend({ id: z.string().max(200).optional() }),
  'subscriptions/remove': one,
} as const

export interface SubscriptionAnswers {
  'subscriptions/list': { subscriptions: Subscription[] }
  'subscriptions/add': Subscription
  'subscriptions/change': null
  'subscriptions/refresh': null
  'subscriptions/remove': null
}

export interface SubscriptionAnnouncements {
  'subscriptions/changed': { accountId: string; subscriptions: Subscription[] }
}
