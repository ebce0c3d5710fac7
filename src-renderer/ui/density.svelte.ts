export const densities = ['comfortable', 'compact'] as const
type Density = (typeof densities)[number]

/** Pixel heights that positions are computed from. All others are in `tokens.css`. */
const heights = {
  row: { comfortable: 28, compact: 24 },
  monthLane: { comfortable: 21, compact: 18 },
  allDayLane: { comfortable: 22, compact: 19 },
} as const satisfies Record<string, Record<Density, number>>

class DensityChoice {
  choice = $state<Density>('comfortable')

  /** Sets `data-density` on the document. */
  apply(choice: Density): void {
    this.choice = choice
    document.documentElement.dataset['density'] = choice
  }

  heightOf(what: keyof typeof heights): number {
    return heights[what][this.choice]
  }
}

/** Density of this window. */
export const density = new DensityChoice()
