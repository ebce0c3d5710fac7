import type { Token } from 'marked'
import accounts from '../../../docs/accounts.md'
import calendarAndTasks from '../../../docs/calendar-and-tasks.md'
import campaigns from '../../../docs/campaigns.md'
import gettingStarted from '../../../docs/getting-started.md'
import glossary from '../../../docs/glossary.md'
import reliability from '../../../docs/reliability.md'
import reminders from '../../../docs/reminders.md'
import reportCommand from '../../../docs/report-command.md'
import reports from '../../../docs/reports.md'
import searchAds from '../../../docs/search-ads.md'
import sync from '../../../docs/sync.md'
import troubleshooting from '../../../docs/troubleshooting.md'
import type { HelpPage } from './pages'

/** The Markdown tokens of each page. */
export const helpTexts: Readonly<Record<HelpPage, readonly Token[]>> = {
  accounts,
  campaigns,
  glossary,
  reliability,
  reminders,
  reports,
  sync,
  troubleshooting,
  'calendar-and-tasks': calendarAndTasks,
  'getting-started': gettingStarted,
  'report-command': reportCommand,
  'search-ads': searchAds,
}
