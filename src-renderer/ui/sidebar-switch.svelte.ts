import { createContext } from 'svelte'

/** Shows and hides the sidebar of the view on screen, for commands and for places that follow from it. */
export class SidebarSwitch {
  /** null where the view has no sidebar, or one that is always there. */
  toggle = $state.raw<(() => void) | null>(null)
  /** Puts away a sidebar that lies over a window too narrow for it; a docked one stays. */
  putAway: () => void = () => {}
}

export const [useSidebarSwitch, provideSidebarSwitch] = createContext<SidebarSwitch>()
