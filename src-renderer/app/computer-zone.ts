import { isZone, offsetAt } from '#shared/time/zones'
import type { AppContext } from '../context/context'
import { cityOf } from '../context/zone-choices'

/**
 * Says that the computer is in another time zone than before, also before a restart.
 * @returns takes its zone, now and whenever it changes
 */
export function noteComputerZone({ settings, preferences, toasts, clock }: AppContext): (zone: string) => void {
  let shown: number | undefined
  return (zone) => {
    const before = settings.values.computerZone
    if (before === zone) return
    settings.set({ computerZone: zone })
    if (shown !== undefined) toasts.dismiss(shown)
    const differs = (other: string): boolean =>
      isZone(zone) && isZone(other) && offsetAt(clock.now, zone) !== offsetAt(clock.now, other)
    if (!differs(before)) return
    const city = cityOf(zone)
    if (settings.values.zone === 'computer') toasts.show(`Times are now in ${city} time, as on this computer`)
    else if (differs(preferences.zone))
      shown = toasts.show(
        `This computer is now in ${city} time. Times are still shown in ${cityOf(preferences.zone)} time.`,
        { seconds: 0, action: { label: `Use ${city} time`, run: () => settings.set({ zone: 'computer' }) } },
      )
  }
}
