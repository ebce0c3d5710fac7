import { sameJson } from '#shared/json'
import { fillIn, type Rules } from '../draft'
import { refusal } from '../refusals'

/** Short name for tags, with lowercase letters, digits, and dots. */
export const keyNameOf = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '.')
    .replace(/^\.|\.$/g, '')
    .slice(0, 60)

export const siteRules: Rules = {
  fill(draft) {
    fillIn(draft, 'keyName', keyNameOf(String(draft.after.name)))
  },
}

export const accountUserProfileRules: Rules = {
  check({ after, before, objects }) {
    if (before) return
    const email = String(after.email).toLowerCase()
    if (objects.list('accountUserProfiles').some((profile) => String(profile.email).toLowerCase() === email))
      throw refusal('taken', 'email is in use by another profile', 'email')
  },
}

/** The account's built-in roles can't be changed. */
export const userRoleRules: Rules = {
  check({ before, after, objects }) {
    const above = new Set<string>()
    for (let id = after.parentUserRoleId; typeof id === 'string' && !above.has(id);) {
      above.add(id)
      id = objects.get('userRoles', id)?.parentUserRoleId
    }
    if (before && before.parentUserRoleId !== after.parentUserRoleId && above.has(before.id))
      throw refusal('general', 'A role cannot stand below itself', 'parentUserRoleId')
    if (before?.builtIn === true && !sameJson(before, after))
      throw refusal('fixed', 'Default user roles cannot be changed', 'defaultUserRole')
  },
  removing(_call, _objects, role) {
    if (role.builtIn === true) throw refusal('used', 'Default user roles cannot be deleted', 'id')
  },
}
