import { kindsOf } from '#shared/facts/kinds'
import { faultOf } from '#shared/fault'
import type { AppContext, Command, Place } from '../context/context'
import { laneOf } from '../context/lane-words'

/** Commands for campaign data that work in all views. */
export function campaignCommands({ replica, navigation, announce, toasts }: AppContext): Command[] {
  const there = (): boolean => laneOf(replica.status, 'trafficking') !== undefined
  const some = (): boolean => there() && replica.chosenDownloads().length > 0
  const all = async (paused: boolean): Promise<void> => {
    const wanted = replica.chosenDownloads().filter((one) => one.paused !== paused)
    try {
      await Promise.all(wanted.map(({ key }) => replica.pauseDownload(key, paused)))
      announce(paused ? 'Downloads paused' : 'Downloads resumed')
    } catch (error) {
      const what = paused ? 'Couldn’t pause all downloads' : 'Couldn’t resume all downloads'
      toasts.show(`${what}. ${faultOf(error).message}`, { level: 'error' })
    }
  }
  /** Current scope of the Campaigns view, so that another record type opens for the same advertiser or campaign. */
  const here = (): Place['params'] => {
    const { view, params } = navigation.place
    const { record: _record, ...rest } = params
    return view === 'campaigns' ? rest : {}
  }
  const group = 'Campaign data'
  return [
    {
      id: 'downloads.choose',
      title: 'Choose campaign data to download…',
      group,
      words: 'advertiser fetch keep offline',
      when: there,
      run: () => navigation.go('sync', { download: 'choose' }),
    },
    {
      id: 'downloads.pause',
      title: 'Pause downloads',
      group,
      words: 'stop campaign data',
      when: () => some() && replica.chosenDownloads().some(({ paused }) => !paused),
      run: () => void all(true),
    },
    {
      id: 'downloads.resume',
      title: 'Resume downloads',
      group,
      words: 'go on campaign data',
      when: () => some() && replica.chosenDownloads().some(({ paused }) => paused),
      run: () => void all(false),
    },
    {
      id: 'downloads.refresh',
      title: 'Refresh campaign data',
      group,
      words: 'reload read again',
      when: () => some() && !replica.status.offline,
      run: () => {
        for (const { key } of replica.chosenDownloads()) replica.refreshDownload(key)
        announce('Refreshing campaign data')
      },
    },
    {
      id: 'reports.overview',
      title: 'Reports overview',
      group: 'Reports',
      words: 'pacing behind anomalies delivery',
      when: there,
      run: () => navigation.go('reports', {}),
    },
    ...kindsOf(replica.facts).map(({ name, words }): Command => ({
      id: `campaigns.show.${name}`,
      title: `Campaigns: ${words.many}`,
      leadsTo: words.many,
      group,
      words: 'list',
      when: there,
      run: () => navigation.go('campaigns', { ...here(), kind: name }),
    })),
  ]
}
