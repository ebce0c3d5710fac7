const [first, last] = [0x20, 0x7e]
const letters = Array.from({ length: 26 }, (_unused, at) => String.fromCharCode(97 + at))

/**
 * Sort weights of ASCII characters in a locale: the first different weight decides. null if the locale sorts pairs of
 * letters as one, or ignores some.
 */
export function weightsOf(locale?: string): Uint8Array | null {
  const collator = new Intl.Collator(locale, { sensitivity: 'base' })
  const { compare } = collator
  if (collator.resolvedOptions().numeric) return null
  const signs = Array.from({ length: last - first + 1 }, (_unused, at) => String.fromCharCode(first + at)).sort(compare)
  if (compare(signs[0]!, '') <= 0) return null
  const weights = new Uint8Array(128)
  let weight = 0
  for (const [at, sign] of signs.entries()) {
    if (at === 0 || compare(signs[at - 1]!, sign) !== 0) weight++
    weights[sign.charCodeAt(0)] = weight
  }
  const weightOf = (letter: string): number => weights[letter.charCodeAt(0)]!
  const inOrder = [...letters].sort(compare)
  for (const one of letters)
    for (let at = 1; at < inOrder.length; at++) {
      const [before, after] = [inOrder[at - 1]!, inOrder[at]!]
      if (Math.sign(compare(one + before, one + after)) !== Math.sign(weightOf(before) - weightOf(after))) return null
    }
  return weights
}

/** Consecutive ASCII texts as weights. Other texts are empty. */
export class Weighed {
  private readonly bytes: Uint8Array
  private readonly starts: Int32Array
  private readonly ends: Int32Array
  private size = 0

  /** @param length total length of all texts */
  constructor(
    private readonly weights: Uint8Array,
    count: number,
    length: number,
  ) {
    this.bytes = new Uint8Array(length)
    this.starts = new Int32Array(count).fill(-1)
    this.ends = new Int32Array(count)
  }

  take(number: number, text: string): void {
    const start = this.size
    for (let at = 0; at < text.length; at++) {
      const weight = this.weights[text.charCodeAt(at)]
      if (!weight) return
      this.bytes[start + at] = weight
    }
    this.starts[number] = start
    this.ends[number] = this.size = start + text.length
  }

  /** Negative if the first comes first. 0 if the numbers don't decide. */
  compare(a: number, b: number): number {
    const { bytes, starts, ends } = this
    let [left, right] = [starts[a]!, starts[b]!]
    if (left < 0 || right < 0) return 0
    const [leftEnd, rightEnd] = [ends[a]!, ends[b]!]
    while (left < leftEnd && right < rightEnd) {
      const by = bytes[left++]! - bytes[right++]!
      if (by !== 0) return by
    }
    return leftEnd - left - (rightEnd - right)
  }
}
