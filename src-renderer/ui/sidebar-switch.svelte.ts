import { createContext } from 'svelte'

/** Shows and hides the sidebar of the view on screen, for commands and for places that follow from it. */
export class SidebarSwitch {
  /** Null if the view's sidebar is always docked or doesn't exist. */
  toggle = $state.raw<(() => void) | null>(null)
  /** Closes an overlaid sidebar. A docked one stays open. */
  putAway: () => void = () => {}
}

export const [useSidebarSwitch, provideSidebarSwitch] = createContext<SidebarSwitch>()
