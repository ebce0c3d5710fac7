import type { Component } from 'svelte'
import CalendarDays from '@lucide/svelte/icons/calendar-days'
import Megaphone from '@lucide/svelte/icons/megaphone'
import CloudUpload from '@lucide/svelte/icons/cloud-upload'
import ListTodo from '@lucide/svelte/icons/list-todo'
import SettingsIcon from '@lucide/svelte/icons/settings'
import CalendarView from '../views/calendar/CalendarView.svelte'
import { laneOf } from '../context/lane-words'
import type { Replica } from '../replica/api'
import CampaignsView from '../views/campaigns/CampaignsView.svelte'
import SettingsView from '../views/settings/SettingsView.svelte'
import SyncView from '../views/sync/SyncView.svelte'
import TasksView from '../views/tasks/TasksView.svelte'

export interface View {
  id: string
  title: string
  icon: Component<{ size?: number | string }>
  /** Switches to it. */
  keys: string
  component: Component
  /** Not on the rail while this says no, unless it is shown; everywhere else it is always there. */
  when?: (replica: Replica) => boolean
}

/** The rail, in order. A view is one folder under views/ and one row here; all are loaded at start. */
export const views: readonly View[] = [
  { id: 'calendar', title: 'Calendar', icon: CalendarDays, keys: 'Ctrl+1', component: CalendarView },
  { id: 'tasks', title: 'Tasks', icon: ListTodo, keys: 'Ctrl+2', component: TasksView },
  {
    id: 'campaigns',
    title: 'Campaigns',
    icon: Megaphone,
    keys: 'Ctrl+3',
    component: CampaignsView,
    when: (replica) => laneOf(replica.status, 'trafficking') !== undefined,
  },
  { id: 'sync', title: 'Sync', icon: CloudUpload, keys: 'Ctrl+4', component: SyncView },
  { id: 'settings', title: 'Settings', icon: SettingsIcon, keys: 'Ctrl+,', component: SettingsView },
]
