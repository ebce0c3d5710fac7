import type { Call, Service } from '../operation'
import { forbidden, invalidParameter } from '../problems'
import { objectsOf } from './objects'
import type { Stored } from './stored'
import { noSuch } from './refusals'

/** A person's role in one account, under which every operation runs. */
export interface Profile {
  id: string
  name: string
  accountId: string
  subaccountId?: string
}

/** The call's profile. @throws Problem 404 if it's unknown, 403 if it's someone else's */
export function profileOf(call: Call): Profile {
  const { profileId } = call.params as { profileId?: string }
  if (profileId === undefined) throw invalidParameter('A profile is needed.', 'profileId')
  const stored = objectsOf(call.service.store).get('userProfiles', profileId)
  if (!stored) throw noSuch('user profile', profileId)
  if (stored.person !== call.person.id) throw forbidden('The user profile belongs to someone else.')
  return {
    id: stored.id,
    name: String(stored.userName),
    accountId: String(stored.accountId),
    subaccountId: typeof stored.subAccountId === 'string' ? stored.subAccountId : undefined,
  }
}

/** Profiles of a person, in ID order. */
export const profilesOf = (service: Service, personId: string): Stored[] =>
  objectsOf(service.store)
    .list('userProfiles')
    .filter((profile) => profile.person === personId)

/** True if a profile sees an object: its account's objects, and those without an account. */
export const isVisible = (profile: Profile, object: Stored): boolean =>
  object.accountId === undefined || object.accountId === profile.accountId
