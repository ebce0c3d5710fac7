import type { Objects } from './objects'
import type { Stored } from './stored'

export type Keeps = (object: Stored) => boolean

/** How a list parameter filters: by fields, or by a function of its value and all parameters. */
export type Filter = string | readonly string[] | ((asked: Asked) => Keeps)

export interface Asked {
  objects: Objects
  /** The parameter's value: text, number, truth, or a list of text. */
  value: unknown
  params: Readonly<Record<string, unknown>>
}
