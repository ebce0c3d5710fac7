import type { Component } from 'svelte'
import CalendarDays from '@lucide/svelte/icons/calendar-days'
import Megaphone from '@lucide/svelte/icons/megaphone'
import ChartColumn from '@lucide/svelte/icons/chart-column'
import CloudUpload from '@lucide/svelte/icons/cloud-upload'
import ListTodo from '@lucide/svelte/icons/list-todo'
import Search from '@lucide/svelte/icons/search'
import TextSearch from '@lucide/svelte/icons/text-search'
import SettingsIcon from '@lucide/svelte/icons/settings'
import { laneOf } from '../context/lane-words'
import type { Replica } from '../replica/api'
import { Late } from '../ui/late.svelte'

export interface View {
  id: string
  title: string
  icon: Component<{ size?: number | string }>
  /** Switches to it. */
  keys: string
  /** Other words people may look for. */
  words?: string
  part: Late<Component>
  /** Hides the view from the rail unless it's open. Doesn't affect other places. */
  when?: (replica: Replica) => boolean
}

/**
 * The rail, in order. A view is one folder under views/ and one row here. The first view loads at start, the others in
 * idle time.
 */
export const views: readonly View[] = [
  {
    id: 'calendar',
    title: 'Calendar',
    icon: CalendarDays,
    keys: 'Ctrl+1',
    words: 'events agenda day week month year view',
    part: new Late(() => import('../views/calendar/CalendarView.svelte')),
  },
  {
    id: 'tasks',
    title: 'Tasks',
    icon: ListTodo,
    keys: 'Ctrl+2',
    words: 'to-dos lists',
    part: new Late(() => import('../views/tasks/TasksView.svelte')),
  },
  {
    id: 'campaigns',
    title: 'Campaigns',
    icon: Megaphone,
    keys: 'Ctrl+3',
    words: 'import spreadsheet csv excel trafficking',
    part: new Late(() => import('../views/campaigns/CampaignsView.svelte')),
    when: (replica) => laneOf(replica.status, 'trafficking') !== undefined,
  },
  {
    id: 'reports',
    title: 'Reports',
    icon: ChartColumn,
    keys: 'Ctrl+4',
    words: 'runs results',
    part: new Late(() => import('../views/reports/ReportsView.svelte')),
    when: (replica) => laneOf(replica.status, 'trafficking') !== undefined,
  },
  {
    id: 'search-ads',
    title: 'Search ads',
    icon: TextSearch,
    keys: 'Ctrl+5',
    words: 'conversions availability saved columns id mapping',
    // Shows its rows with the report components.
    part: new Late(() => import('../views/reports/search-ads/SearchAdsView.svelte')),
    when: (replica) => laneOf(replica.status, 'trafficking') !== undefined,
  },
  {
    id: 'search',
    title: 'Search',
    icon: Search,
    keys: 'Ctrl+Shift+K',
    part: new Late(() => import('../views/search/SearchView.svelte')),
    // Ctrl+K leads to it.
    when: () => false,
  },
  {
    id: 'sync',
    title: 'Sync',
    icon: CloudUpload,
    keys: 'Ctrl+6',
    words: 'pending changes queue conflicts errors retry recent activity history',
    part: new Late(() => import('../views/sync/SyncView.svelte')),
  },
  {
    id: 'settings',
    title: 'Settings',
    icon: SettingsIcon,
    keys: 'Ctrl+,',
    words: 'preferences options',
    part: new Late(() => import('../views/settings/SettingsView.svelte')),
  },
]

/** The view with a remembered name, or the first one. */
export const viewNamed = (id: string): View => views.find((view) => view.id === id) ?? views[0]!
