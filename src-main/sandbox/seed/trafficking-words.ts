import words from './trafficking-words.json'

export interface AdvertiserWords {
  name: string
  host: string
  /** Index into the groups. Absent: none. */
  group?: number
  /** Themes of its campaigns. */
  themes: readonly string[]
  /** Two wordings of its creatives. */
  lines: readonly [string, string]
  /** The activity that is a sale, and other activities to count. */
  sale: string
  visits: readonly string[]
}

export const advertisers = words.advertisers as unknown as readonly AdvertiserWords[]
export const { advertiserGroups, seasons, strategies, categories, lists } = words
/** Display sizes in pixels. Each campaign uses four of them. */
export const displaySizes = words.displaySizes as [width: number, height: number][]
