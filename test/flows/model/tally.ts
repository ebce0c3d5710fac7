import type { Verdict } from './simulation'

/** The subject of an auditor's line. */
export type Kind =
  | 'lost'
  | 'overwritten'
  | 'duplicated'
  | 'diverged'
  | 'stuck'
  | 'leaked'
  | 'dangling'
  | 'sentUnposted'
  | 'slippedUntold'

export interface TallyResult extends Record<Kind, number> {
  seeds: number
  steps: number
  from: number
  /** The auditor's judgments, and what it couldn't judge. */
  judged: number
  unjudged: number
  seedsPerSecond: number
  failed: { seed: number; why: string }[]
}

const kinds: readonly (readonly [RegExp, Kind])[] = [
  [/^lost\b/, 'lost'],
  [/^overwritten\b/, 'overwritten'],
  [/^doubled\b/, 'duplicated'],
  [/^(stuck|orphan|broke)\b/, 'stuck'],
  [/^(differs|ghost|hole)\b/, 'diverged'],
  [/^leaked\b/, 'leaked'],
  [/^dangling\b/, 'dangling'],
  [/^unposted\b/, 'sentUnposted'],
  [/^slipped\b/, 'slippedUntold'],
]

/** @throws RangeError for a line of unknown kind, since a new finding needs a name */
export function kindOf(problem: string): Kind {
  const found = kinds.find(([form]) => form.test(problem))
  if (!found) throw new RangeError(`No kind of problem: ${problem}`)
  return found[1]
}

/** Counts seeds by their problems. A seed with two problems of one kind counts once for it. */
export class Tally {
  private readonly counts: Record<Kind, number> = {
    lost: 0,
    overwritten: 0,
    duplicated: 0,
    diverged: 0,
    stuck: 0,
    leaked: 0,
    dangling: 0,
    sentUnposted: 0,
    slippedUntold: 0,
  }
  private readonly failed: { seed: number; why: string }[] = []
  private seeds = 0
  private judged = 0
  private unjudged = 0

  constructor(
    private readonly from: number,
    private readonly steps: number,
  ) {}

  add(seed: number, { problems, judged, unjudged }: Pick<Verdict, 'problems' | 'judged' | 'unjudged'>): void {
    this.seeds++
    this.judged += judged
    this.unjudged += unjudged.length
    if (problems.length === 0) return
    for (const kind of new Set(problems.map(kindOf))) this.counts[kind]++
    this.failed.push({ seed, why: problems.join(' · ') })
  }

  /** Adds another process's counts. */
  join({ seeds, judged, unjudged, failed, ...counts }: TallyResult): void {
    this.seeds += seeds
    this.judged += judged
    this.unjudged += unjudged
    for (const [, kind] of kinds) this.counts[kind] += counts[kind]
    this.failed.push(...failed)
  }

  /** `seconds`: the total time. */
  result(seconds: number): TallyResult {
    const seedsPerSecond = Math.round(this.seeds / Math.max(seconds, 0.001))
    return {
      seeds: this.seeds,
      steps: this.steps,
      from: this.from,
      ...this.counts,
      judged: this.judged,
      unjudged: this.unjudged,
      seedsPerSecond,
      failed: this.failed,
    }
  }
}
