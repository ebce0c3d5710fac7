// The running ring: `npm test` runs the usual one, and `npm run test:all` everything, including all sampled cases.

export interface Ring {
  /** True for `npm run test:all`. */
  outer: boolean
  /** Returns the number of cases to try in this ring. */
  cases(usual: number, all: number): number
  /** The seed of this run's samples: `npm test` prints it, and `npm test -- --draw SEED` repeats it. */
  drawSeed: number
  /** Samples `count` items in the list's order. The outer ring returns the whole list. */
  drawn<T>(list: readonly T[], count: number): readonly T[]
  /** Draws about one name of `of`, whatever runs before it. The outer ring draws every name. */
  isDrawn(name: string, of: number): boolean
}

/** The ring selected by environment variables. */
export function ringOf(environment: Readonly<Record<string, string | undefined>>): Ring {
  const outer = environment['FLIGHTPLAN_RING'] === 'all'
  const drawSeed = Number(environment['FLIGHTPLAN_DRAW'] ?? 1)
  return {
    outer,
    cases: (usual, all) => (outer ? all : usual),
    drawSeed,
    drawn: (list, count) => (outer || list.length <= count ? list : sampleOf(list, count, randomOf(drawSeed))),
    isDrawn: (name, of) =>
      outer ||
      randomOf([...name].reduce((sum, one) => Math.imul(sum ^ one.codePointAt(0)!, 16_777_619), drawSeed))() < 1 / of,
  }
}

export const { outer, cases, drawSeed, drawn, isDrawn } = ringOf(process.env)

function sampleOf<T>(list: readonly T[], count: number, random: () => number): readonly T[] {
  const places = list.map((_, place) => place)
  for (let at = 0; at < count; at++) {
    const other = at + Math.floor(random() * (places.length - at))
    ;[places[at], places[other]] = [places[other]!, places[at]!]
  }
  return places
    .slice(0, count)
    .sort((a, b) => a - b)
    .map((place) => list[place]!)
}

/** Mulberry32: numbers from 0 to 1 that depend only on the seed. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
