import { faultOf } from '#shared/fault'
import type { Toasts } from '../ui/toasts.svelte'

/**
 * Awaits work. If it fails, shows `failed`, the reason, and what's `kept`, and returns undefined.
 */
export async function attempt<T>(
  toasts: Toasts,
  work: Promise<T>,
  { failed = '', kept = '' }: { failed?: string; kept?: string } = {},
): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    toasts.show([failed, faultOf(error).message, kept].filter(Boolean).join(' '), { level: 'error' })
    return undefined
  }
}
