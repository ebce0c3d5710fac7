import type { Json } from '../json'
import { instantOfWall, wallOfInstant } from '../time/zones'
import type { FieldKind } from './kind'
import { momentText } from './read'

const dayMs = 86_400_000
const decimal = String.raw`\d+(?:[.,]\d+)?`
const days = /^([+-])\s*(\d{1,5})\s*([dw])$/i
const factor = new RegExp(String.raw`^\*\s*(${decimal})$`)
const percent = new RegExp(String.raw`^([+-])\s*(${decimal})\s*%$`)

/**
 * Applies a short form to a field's text: `+7d`, `-2w`, and `eom` (the end of its month) for dates and times, `*1.1`,
 * `+10%`, and `-5%` for numbers and amounts. Returns text to read like any other, or undefined if it isn't a short form.
 */
export function formulaText(
  kind: FieldKind,
  whole: boolean,
  typed: string,
  current: Json | undefined,
  zone: string,
): { text: string } | { problem: string } | undefined {
  const text = typed.trim()
  if (kind === 'date' || kind === 'moment') {
    const shift = dayShift(text)
    if (!shift) return undefined
    const instant = kind === 'date' ? Date.parse(`${String(current)}T00:00:00Z`) : momentOf(current)
    if (!Number.isFinite(instant)) return { problem: 'No date to calculate from' }
    if (kind === 'date') return { text: new Date(shift(instant)).toISOString().slice(0, 10) }
    return { text: momentText(instantOfWall(shift(wallOfInstant(instant, zone)), zone), zone) }
  }
  if (kind !== 'number' && kind !== 'money') return undefined
  const by = factorOf(text)
  if (!by) return undefined
  const own = decimalOf(String(current ?? ''))
  if (!own) return { problem: 'No number to calculate from' }
  const made = { digits: own.digits * by.digits, places: own.places + by.places }
  if (kind === 'money') return { text: textOf({ digits: roundedTo(made, 0), places: 9 }) }
  return { text: textOf(whole ? { digits: roundedTo(made, 0), places: 0 } : made) }
}

/** Shifts a wall time. Undefined if the text isn't a shift. */
function dayShift(text: string): ((wall: number) => number) | undefined {
  if (/^eom$/i.test(text))
    return (wall) => {
      const at = new Date(wall)
      return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0) + (wall - Math.floor(wall / dayMs) * dayMs)
    }
  const [, sign, count, unit] = days.exec(text) ?? []
  if (count === undefined) return undefined
  const by = Number(count) * (unit!.toLowerCase() === 'w' ? 7 : 1) * (sign === '-' ? -1 : 1)
  return (wall) => wall + by * dayMs
}

const momentOf = (value: Json | undefined): number =>
  typeof value === 'string' && !/^\d+$/.test(value) ? Date.parse(value) : value === null ? NaN : Number(value)

/** A number with all its digits, the last `places` of them after the point, because money must be exact. */
interface Decimal {
  digits: bigint
  places: number
}

function decimalOf(text: string): Decimal | undefined {
  const [, sign, before, after = ''] = /^(-?)(\d+)(?:[.,](\d+))?$/.exec(text) ?? []
  return before === undefined ? undefined : { digits: BigInt(`${sign}${before}${after}`), places: after.length }
}

function factorOf(text: string): Decimal | undefined {
  const [, times] = factor.exec(text) ?? []
  if (times !== undefined) return decimalOf(times)
  const [, sign, share] = percent.exec(text) ?? []
  const of = share === undefined ? undefined : decimalOf(share)
  if (!of) return undefined
  const all = 100n * 10n ** BigInt(of.places)
  return { digits: sign === '-' ? all - of.digits : all + of.digits, places: of.places + 2 }
}

/** Digits of a number rounded to fewer decimals, with halves away from zero. */
function roundedTo({ digits, places }: Decimal, left: number): bigint {
  const by = 10n ** BigInt(Math.max(0, places - left))
  const half = by / 2n
  return (digits >= 0n ? digits + half : digits - half) / by
}

function textOf({ digits, places }: Decimal): string {
  const plain = String(digits < 0n ? -digits : digits).padStart(places + 1, '0')
  const [before, after] = [plain.slice(0, plain.length - places), plain.slice(plain.length - places)]
  const decimals = places === 0 ? '' : after.replace(/0+$/, '')
  return `${digits < 0n ? '-' : ''}${before}${decimals === '' ? '' : `.${decimals}`}`
}
