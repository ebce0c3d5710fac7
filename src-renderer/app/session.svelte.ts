import { detachedRoot } from '../ui/detached-root.svelte'
import { faultOf } from '#shared/fault'
import { commitFocused } from '../ui/commit-focused'
import { bareLabel, plainLabel } from '../ui/plain-label'
import type { Accounts } from '../context/accounts.svelte'
import { nameOf, unchanged } from '../context/account-words'
import { Clock } from '../context/clock.svelte'
import { Commands } from '../context/commands.svelte'
import type { AppContext } from '../context/context'
import { ExportPresets } from '../context/export-presets.svelte'
import { liveReplica } from './live.svelte'
import { Navigation } from '../context/navigation.svelte'
import { Notifications } from '../context/notifications.svelte'
import type { Replica } from '../replica/api'
import { Preferences } from '../context/preferences.svelte'
import { ReportFilesModel } from '../context/report-files.svelte'
import { Settings } from '../context/settings.svelte'
import { rehearse } from '../sync/rehearsal'
import { Subscriptions } from '../context/subscriptions.svelte'

/** The storage holds a few megabytes. Rules, views, and sets are the only large settings. */
const unsavedSettings =
  'Couldn’t save your settings, because there are too many of them. Changes will be lost when you quit. Delete custom rules, saved views, or calendar sets that you don’t need.'

/** Creates what views need for the current account. `knownViews` limits which remembered view may open. */
export function startSession(accounts: Accounts, storage: Storage, knownViews: readonly string[]): AppContext {
  const { announcer, bridge, info, shown } = accounts
  const own = accounts.replica
  const replica = liveReplica(own)
  const toasts = accounts.newToasts()
  // As a receipt, it doesn't hide an error that contains unsaved text.
  const settings = new Settings(storage, () => toasts.show(unsavedSettings, { survivesAccountSwitch: true }))
  accounts.onforget = (id) => settings.forget(id)
  const commands = new Commands(() => settings.values.singleKeys)
  const remembered = accounts.viewNext || settings.values.view
  accounts.viewNext = ''
  const view = knownViews.includes(remembered) ? remembered : knownViews[0]!

  const failed = (
    what: string,
    error: unknown,
    withKept = (message: string): string => message,
    attempt?: string,
  ): null => {
    const fault = faultOf(error)
    // Shown where the edit began, whichever account is shown by then.
    toasts.show(`${what} ${withKept(fault.message)}`, { level: 'error', attempt, survivesAccountSwitch: true })
    return null
  }
  const stopped = (title: string): null => {
    const text = `Stopped: ${title}. Nothing changed.`
    announcer.say(text)
    toasts.show(text, { survivesAccountSwitch: true })
    return null
  }
  const step = async (direction: 'undo' | 'redo', only?: string, on: Replica = own): Promise<boolean> => {
    const [done, opposite] = direction === 'undo' ? (['Undid', 'Redo'] as const) : (['Redid', 'Undo'] as const)
    const title = direction === 'undo' ? 'Undo' : 'Redo'
    const next = on.undoable[direction]
    const full = next === null ? title : `${title}: ${plainLabel(next)}`
    const under = accounts.edits.begin(full)
    try {
      const label = await (direction === 'undo' ? on.undo(only, under) : on.redo(under))
      if (label === null) {
        toasts.show(`Nothing to ${direction}`)
        return false
      }
      const words = plainLabel(label)
      announcer.say(`${done}: ${words}`)
      toasts.show(`${done}: ${words}`, {
        action: { label: opposite, run: () => void step(direction === 'undo' ? 'redo' : 'undo', undefined, on) },
        survivesAccountSwitch: true,
      })
      return true
    } catch (error) {
      if (error === under.signal.reason) stopped(full)
      else failed(direction === 'undo' ? 'Couldn’t undo.' : 'Couldn’t redo.', error, unchanged)
      return false
    } finally {
      under.end()
    }
  }

  let undoNext: (() => Promise<unknown>) | null = null
  own.subscribe((topics) => {
    if (topics.has('undo')) undoNext = null
  })

  const navigation = new Navigation(accounts.placeNext ?? { view, params: {} })
  accounts.placeNext = null
  return {
    replica,
    bridge,
    accounts,
    get account() {
      return accounts.all.find(({ id }) => id === shown.id) ?? shown
    },
    info,
    settings,
    commands,
    announcer,
    toasts,
    notifications: new Notifications(bridge, toasts),
    subscriptions: new Subscriptions(bridge, toasts, shown.id),
    presets: new ExportPresets(bridge, toasts),
    reportFiles: new ReportFilesModel(bridge, toasts),
    // Work that outlives the session reads them.
    preferences: detachedRoot(() => new Preferences(settings, replica, info)),
    navigation,
    clock: new Clock(),
    announce: (text) => announcer.say(text),
    async edit(changes, options, receipt = {}, work = {}) {
      // Edits with a signal report their own progress.
      const on = receipt.replica ?? own
      const under = work.signal ? undefined : accounts.edits.begin(plainLabel(options.label))
      try {
        const result = await on.edit(changes, options, under ?? work)
        toasts.succeeded(() => JSON.stringify(changes))
        const text = receipt.text ?? plainLabel(options.label)
        announcer.say(`${text}. Saved on this computer`)
        if (receipt.show) {
          const action = { label: 'Undo', run: () => void step('undo', result.group, on) }
          const deletes = changes.some(({ kind }) => kind === 'delete')
          const canRestore = deletes && on === own && replica.deleted().some((deleted) => deleted.step === result.group)
          const more = { label: 'Recently deleted', run: () => void commands.run('app.deleted') }
          toasts.show(text, { action, ...(canRestore && { more }) })
        }
        return result
      } catch (error) {
        work.signal?.throwIfAborted()
        if (under && error === under.signal.reason) return stopped(plainLabel(options.label))
        if (receipt.onfailed) return (receipt.onfailed(faultOf(error).message), null)
        return failed(`Couldn’t save “${bareLabel(options.label)}”.`, error, unchanged, JSON.stringify(changes))
      } finally {
        under?.end()
      }
    },
    async showAccount(id, view) {
      if (id === shown.id) {
        if (view) navigation.go(view)
        return
      }
      const { activeElement } = document
      accounts.focusNext ||= activeElement?.closest('[data-focus-next]')?.getAttribute('data-focus-next') ?? ''
      // Typed text belongs to the account that is being left.
      commitFocused()
      try {
        accounts.viewNext = view ?? ''
        if (await accounts.show(id)) announcer.say(`Showing ${nameOf(accounts.shown)}`)
      } catch (error) {
        accounts.viewNext = ''
        accounts.placeNext = null
        failed('Couldn’t open this account. Its data is safe.', error)
      }
    },
    rehearse: (entryIds, work) => rehearse(own, bridge, entryIds, work),
    async undo(only) {
      if (!undoNext || only !== undefined) return step('undo', only)
      await undoNext()
      return true
    },
    undoNext(run) {
      undoNext = run
    },
    async redo() {
      await step('redo')
    },
  }
}
