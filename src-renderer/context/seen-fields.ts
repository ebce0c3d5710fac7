import { valuesOf } from '#shared/json'
import type { Row, Upon } from '../replica/api'

/** A row as people see it when they begin to type into its fields. */
export const seenIn = ({ value, remoteSeq }: Pick<Row, 'value' | 'remoteSeq'>, ...fields: readonly string[]): Upon => ({
  seq: remoteSeq,
  values: valuesOf(value, fields),
})
