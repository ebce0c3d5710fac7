import { refusalNumbers as numbers } from '#shared/facts/refusal-numbers'
import { Problem, invalid, required } from '../problems'

/** @returns 400 that names the field: «11073 : The name is already in use.» */
export const refusal = (kind: keyof typeof numbers, message: string, location: string): Problem =>
  invalid(`${numbers[kind]} : ${message}`, location)

export const missing = (location: string): Problem =>
  required(location, `${numbers.missing} : Required field: ${location}`)

export const noSuch = (what: string, id: string): Problem =>
  new Problem(404, 'notFound', `${numbers.unknown} : ${what} has nothing with the id ${id}.`)
