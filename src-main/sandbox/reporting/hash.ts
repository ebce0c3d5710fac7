/** Hashes a text to 32 bits (FNV-1a, then mixed). */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return mix(hash)
}

/** A number from 0 up to 1, the same for a seed and number. */
export const draw = (seed: number, number: number): number =>
  mix(seed ^ Math.imul(number + 0x9e3779b9, 0x85ebca6b)) / 4_294_967_296

function mix(value: number): number {
  let mixed = value ^ (value >>> 16)
  mixed = Math.imul(mixed, 0x7feb352d)
  mixed ^= mixed >>> 15
  mixed = Math.imul(mixed, 0x846ca68b)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
