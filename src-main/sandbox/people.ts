import type { Person } from './operation'

/** The sandbox's users. The first one is the caller whose token the ready line contains. */
export const people: readonly Person[] = [
  { id: 'you', email: 'alex.morgan@flightplan.example', name: 'Alex Morgan' },
  { id: 'mina', email: 'mina.park@flightplan.example', name: 'Mina Park' },
  { id: 'jonas', email: 'jonas.weber@flightplan.example', name: 'Jonas Weber' },
]

export const groups: ReadonlyArray<{ email: string; members: readonly string[] }> = [
  { email: 'planning@flightplan.example', members: people.map((person) => person.email) },
]

export const personById = (id: string): Person | undefined => people.find((person) => person.id === id)
export const personByEmail = (email: string): Person | undefined =>
  people.find((person) => person.email === email.toLowerCase())
