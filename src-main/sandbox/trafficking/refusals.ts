import { Problem, invalid, required } from '../problems'

/** Numbers before the words, as the service has them; which number is which is ours. */
const numbers = {
  general: 11001,
  missing: 11004,
  unknown: 11019,
  archived: 11031,
  foreign: 11046,
  fixed: 11052,
  dates: 11064,
  taken: 11073,
  used: 11081,
} as const

/** @returns 400 that names the field: «11073 : The name is already in use.» */
export const refusal = (kind: keyof typeof numbers, message: string, location: string): Problem =>
  invalid(`${numbers[kind]} : ${message}`, location)

export const missing = (location: string): Problem =>
  required(location, `${numbers.missing} : Required field: ${location}`)

export const noSuch = (what: string, id: string): Problem =>
  new Problem(404, 'notFound', `${numbers.unknown} : ${what} has nothing with the id ${id}.`)
