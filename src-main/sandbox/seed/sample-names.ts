import names from './sample-names.json'

/** A name and an email address. */
type Person = readonly [name: string, email: string]
type Eight<T> = readonly [T, T, T, T, T, T, T, T]

/** Invented people, brands, and media partners of the demo. */
export const colleagues = names.colleagues as unknown as Eight<Person>
export const outsiders = names.outsiders as unknown as Eight<Person>
/** Names and days of the year. */
export const birthdays = names.birthdays as [name: string, date: string][]

export const { brands, partners, flights, rooms, cities } = names
/** Texts with places for a brand, partner, or person. */
export const { meetings, partnerMeetings, milestones, teamMeetings, familyEvents, descriptions } = names
