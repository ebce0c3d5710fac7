import { createContext } from 'svelte'
import type { CalendarActions } from './actions.svelte'

export const [useActions, provideActions] = createContext<CalendarActions>()
