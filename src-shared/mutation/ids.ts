/** IDs created on this computer. Clock and random numbers are passed in, so that a simulation can replay them. */

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const base32hex = '0123456789abcdefghijklmnopqrstuv'

export interface IdSource {
  /** 26 characters that sort by creation time, even within one millisecond. */
  ulid(): string
  /** An event ID that the calendar service accepts: 26 characters of base32hex. */
  eventId(): string
}

/**
 * @param now epoch milliseconds
 * @param random in [0, 1)
 * @param after the last ID ever created. All new IDs sort after it, even if the clock jumps back or the app restarts
 * within a millisecond
 */
export function idSource(now: () => number, random: () => number, after = ''): IdSource {
  let last = timeOf(after) + 1
  let tail: number[] = []
  const draw = (): number => Math.floor(random() * 32)
  return {
    ulid() {
      const time = Math.max(Math.floor(now()), last)
      if (time === last && tail.length > 0) increment(tail)
      else tail = Array.from({ length: 16 }, draw)
      last = time
      let head = ''
      for (let rest = time, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) head = crockford[rest % 32]! + head
      return head + tail.map((digit) => crockford[digit]!).join('')
    },
    eventId: () => Array.from({ length: 26 }, () => base32hex[draw()]!).join(''),
  }
}

/**
 * Event ID for creating a deleted event again. Derived from the old ID, so that two computers that do so don't create two
 * events.
 */
export function recreatedEventId(id: string): string {
  let text = ''
  for (let seed = 1; text.length < 26; seed++) {
    let hash = seed * 0x9e3779b1
    for (const character of id) {
      hash = Math.imul(hash ^ character.codePointAt(0)!, 0x85ebca6b)
      hash ^= hash >>> 13
    }
    hash = Math.imul(hash ^ (hash >>> 16), 0xc2b2ae35)
    for (let bits = 0; bits < 30; bits += 5) text += base32hex[(hash >>> bits) & 31]!
  }
  return text.slice(0, 26)
}

function timeOf(ulid: string): number {
  let time = 0
  for (const character of ulid.slice(0, 10)) time = time * 32 + Math.max(0, crockford.indexOf(character))
  return time
}

function increment(digits: number[]): void {
  for (let i = digits.length - 1; i >= 0; i--) {
    if (digits[i]! < 31) {
      digits[i]!++
      return
    }
    digits[i] = 0
  }
}
