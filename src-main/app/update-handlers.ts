import type { HandlersOf } from '../ipc/handle'
import type { Updates } from '../updates/updates'
import type { Shell } from './shell'

export interface UpdateDeps {
  updates: Updates
}

/** Handlers for requests about new versions. */
export function updateHandlers({ updates, shell }: UpdateDeps & { shell: Shell }): HandlersOf<'updates'> {
  return {
    'updates/state': () => updates.state,
    'updates/check': () => updates.check(),
    'updates/change': (patch) => updates.change(patch),
    'updates/install': () => {
      if (updates.state.phase === 'ready') shell.restart()
    },
  }
}
