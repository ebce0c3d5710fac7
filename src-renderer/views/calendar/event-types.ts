import BriefcaseBusiness from '@lucide/svelte/icons/briefcase-business'
import Cake from '@lucide/svelte/icons/cake'
import Headphones from '@lucide/svelte/icons/headphones'
import MapPin from '@lucide/svelte/icons/map-pin'
import Plane from '@lucide/svelte/icons/plane'

/** Icons of event types. An ordinary event has none. */
export const typeIcons = {
  outOfOffice: Plane,
  focusTime: Headphones,
  workingLocation: MapPin,
  birthday: Cake,
  fromGmail: BriefcaseBusiness,
}
