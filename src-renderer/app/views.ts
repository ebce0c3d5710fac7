import type { Component } from 'svelte'
import CalendarDays from '@lucide/svelte/icons/calendar-days'
import CalendarView from '../views/calendar/CalendarView.svelte'

export interface View {
  id: string
  title: string
  icon: Component<{ size?: number | string }>
  /** Switches to it. */
  keys: string
  component: Component
}

/** The rail, in order. A view is one folder under views/ and one row here; all are loaded at start. */
export const views: readonly View[] = [
  { id: 'calendar', title: 'Calendar', icon: CalendarDays, keys: 'Ctrl+1', component: CalendarView },
]
