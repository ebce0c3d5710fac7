import { valuesOf } from '#shared/json'
import type { Row, Upon } from '../replica/api'

/** What people see of a row when they begin to type into fields of it. */
export const seenIn = ({ value, remoteSeq }: Pick<Row, 'value' | 'remoteSeq'>, ...fields: readonly string[]): Upon => ({
  seq: remoteSeq,
  values: valuesOf(value, fields),
})
