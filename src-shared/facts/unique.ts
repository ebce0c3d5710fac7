import type { JsonObject } from '../json'
import { schemaOf } from '../wire/validate'
import type { Collection } from './collection'

/** A field whose value no two records share. */
export interface UniqueField {
  field: string
  /** Among which records, in words. */
  within: string
  /** The field that says among which records; without it, all of them. */
  scope?: string
}

const scopes: Record<string, string | undefined> = {
  account: 'accountId',
  subaccount: 'subaccountId',
  advertiser: 'advertiserId',
  'creative field': 'creativeFieldId',
  'activity group': 'trackingActivityGroupId',
  'tracking configuration': 'trackingConfigurationId',
}

/** Unique fields of a kind of record that a client can write (`uniqueWithin` in the service's table). */
export function uniqueFields({ table, schema }: Pick<Collection, 'table' | 'schema'>): UniqueField[] {
  return Object.entries(schemaOf(table, schema).fields).flatMap(([field, { uniqueWithin, readOnly }]) => {
    const scope = uniqueWithin && scopes[uniqueWithin]
    return !uniqueWithin || readOnly ? [] : [{ field, within: uniqueWithin, ...(scope && { scope }) }]
  })
}

/**
 * True if two records of a profile can't share the value of a unique field. New ones get the account of their profile.
 */
export const isWithin = ({ scope }: UniqueField, value: JsonObject, other: JsonObject | null): boolean =>
  scope === undefined || scope === 'accountId' || other?.[scope] === value[scope]
