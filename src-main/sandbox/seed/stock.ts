import type { Stored } from '../trafficking/stored'
import type { Chance } from './chance'
import type { Home } from './trafficking'
import type * as words from './trafficking-words'

/** An advertiser and what its campaigns use. */
export interface Client {
  words: words.AdvertiserWords
  advertiser: Stored
  landingPages: Stored[]
  creativeGroups: Stored[]
  fieldValues: Stored[]
  field: Stored
  activities: Stored[]
  lists: Stored[]
}

/** Values shared by all campaigns of the account. */
export interface Stock {
  home: Home
  chance: Chance
  sites: Stored[]
  strategies: Stored[]
  categories: Stored[]
  clients: Client[]
}
