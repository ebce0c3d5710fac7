import type { Call, Service } from '../operation'
import { forbidden, invalidParameter } from '../problems'
import { objectsOf } from './objects'
import type { Stored } from './stored'
import { noSuch } from './refusals'

/** A person's standing in one account: what every operation acts as. */
export interface Profile {
  id: string
  name: string
  accountId: string
  subaccountId?: string
}

/** The profile a call names. @throws Problem 404 for an unknown one, 403 for somebody else's. */
export function profileOf(call: Call): Profile {
  const { profileId } = call.params as { profileId?: string }
  if (profileId === undefined) throw invalidParameter('A profile is needed.', 'profileId')
  const stored = objectsOf(call.service.store).get('userProfiles', profileId)
  if (!stored) throw noSuch('user profile', profileId)
  if (stored.person !== call.person.id) throw forbidden('The user profile belongs to somebody else.')
  return {
    id: stored.id,
    name: String(stored.userName),
    accountId: String(stored.accountId),
    subaccountId: typeof stored.subAccountId === 'string' ? stored.subAccountId : undefined,
  }
}

/** Profiles of a person, in id order. */
export const profilesOf = (service: Service, personId: string): Stored[] =>
  objectsOf(service.store)
    .list('userProfiles')
    .filter((profile) => profile.person === personId)

/** Whether a profile sees an object: those of its account, and those that belong to none. */
export const isVisible = (profile: Profile, object: Stored): boolean =>
  object.accountId === undefined || object.accountId === profile.accountId
