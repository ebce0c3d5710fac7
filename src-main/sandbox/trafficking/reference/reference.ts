import type { Stored } from '../stored'
import { countries } from './countries'
import {
  accountPermissionGroups,
  accountPermissions,
  directorySites,
  sizes,
  userRolePermissionGroups,
  userRolePermissions,
} from './inventory'
import { cities, metros, postalCodes, regions } from './places'
import {
  browsers,
  connectionTypes,
  languages,
  mobileApps,
  mobileCarriers,
  operatingSystems,
  operatingSystemVersions,
  platformTypes,
  videoFormats,
} from './technology'

const tables: Record<string, readonly Stored[]> = {
  accountPermissionGroups,
  accountPermissions,
  browsers,
  cities,
  connectionTypes,
  countries,
  directorySites,
  languages,
  metros,
  mobileApps,
  mobileCarriers,
  operatingSystems,
  operatingSystemVersions,
  platformTypes,
  postalCodes,
  regions,
  sizes,
  userRolePermissionGroups,
  userRolePermissions,
  videoFormats,
}

/** Rows of reference data, each with an `id` instead of the wire's key. Empty for other collections. */
export const referenceRows = (collection: string): readonly Stored[] => tables[collection] ?? []
