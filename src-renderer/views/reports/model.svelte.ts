import { createContext, untrack } from 'svelte'
import { SvelteMap } from 'svelte/reactivity'
import { isLocalId, recordKey } from '#shared/domain/collections'
import { faultOf } from '#shared/fault'
import type { RequestArguments, RequestAnswers, RequestName } from '#shared/ipc/contract'
import { isJsonObject, type JsonObject } from '#shared/json'
import type { OutboxEntry } from '#shared/mutation/entry'
import { isOver, type Run, type SearchDefinition, type ServerRuns } from '#shared/reports/runs'
import { ask } from '../../bridge'
import { attempt } from '../../context/attempt'
import type { AppContext } from '../../context/context'
import { sentence } from '../../context/account-words'
import { laneOf, saidWords } from '../../context/lane-words'
import type { Row } from '../../replica/api'
import { byName } from '../../ui/by-name'
import type { MarkName } from '../../ui/marks'
import { PickedKeys } from '../../ui/picked-keys.svelte'
import { problemsOf } from './builder/problems'
import { searchProblems } from './builder/search-request'
import { RulesModel } from './export/rules.svelte'
import { readPeriods } from './periods'
import { removeRuns } from './run-actions'
import { runWords, stuckBy } from './run-words'

/** Report in the list. */
export interface ListedReport {
  /** Key of its record or local definition. */
  key: string
  service: Run['service']
  /** ID on the server, or of the local definition. */
  id: string
  profile: string
  name: string
  type: string
  definition: JsonObject
  mark: MarkName
  /** Newest first. */
  runs: readonly Run[]
  /** Newest run with a file. */
  newest?: Run
  /** Unfinished run, rather one that was started here. */
  active?: Run
  /** The report was deleted. Only its runs are left, without its definition. */
  gone?: true
}

/**
 * True if Run does something: not for a deleted report, or while a run is under way that was started here, unless that
 * waits for changes which have become drafts again.
 */
export const canRun = ({ gone, active, mark }: ListedReport): boolean =>
  !gone && (!active || active.found === true || (active.state === 'held' && mark === 'draft'))

/** True for reports that schedules and other people can run, too. */
export const isOnServer = ({ service, gone, id }: ListedReport): boolean =>
  service === 'trafficking' && !gone && !isLocalId(id)

export const tabs = ['results', 'definition', 'runs'] as const
export type Tab = (typeof tabs)[number]
/** The newest results, or the runs that brought none yet. Without runs, it's where results will be. */
export const usualTab = (report: Pick<ListedReport, 'newest' | 'runs'> | undefined): Tab =>
  report?.newest || report?.runs.length === 0 ? 'results' : 'runs'

/** Page to show if no report is selected. */
export type Page = 'overview' | 'runs'

const searchKey = (id: string): string => `search ${id}`

type ShownDefinition = Pick<SearchDefinition, 'id' | 'name' | 'request'>

/** State of the Reports view: reports of both services, their runs, and the selection. */
export class ReportsModel {
  readonly app: AppContext
  /** Automatic exports. */
  readonly rules: RulesModel
  /** Selected reports of the list. */
  readonly picked = new PickedKeys()
  readonly #runs = new SvelteMap<string, Run>()
  /** Search reports as saved by main. */
  #saved = $state.raw<readonly SearchDefinition[]>([])
  /** Changes to search reports that aren't saved yet, or couldn't be, by ID. */
  readonly #unsaved = new SvelteMap<string, ShownDefinition>()
  readonly #definitions = $derived([
    ...this.#saved.filter(({ id }) => !this.#unsaved.has(id)),
    ...this.#unsaved.values(),
  ])
  /** Why loading runs failed, or ''. */
  trouble = $state('')
  /** True once runs are loaded. */
  ready = $state(false)
  words = $state('')

  constructor(app: AppContext) {
    this.app = app
    this.rules = new RulesModel(app)
  }

  /** Loads runs and definitions and subscribes to changes. @returns a function that unsubscribes */
  follow(): () => void {
    const { bridge, account } = this.app
    const off = [
      this.rules.follow(),
      bridge.on('reports/changed', ({ run }) => {
        if (run.accountId === account.id) this.#runs.set(run.id, run)
      }),
      bridge.on('reports/removed', ({ accountId, id }) => {
        if (accountId === account.id) this.#runs.delete(id)
      }),
    ]
    void untrack(() => this.read())
    return () => off.forEach((end) => end())
  }

  async read(): Promise<void> {
    const accountId = this.app.account.id
    try {
      const [{ runs }, { definitions }] = await Promise.all([
        ask(this.app.bridge, 'reports/runs', { accountId }),
        ask(this.app.bridge, 'reports/definitions', { accountId }),
      ])
      for (const run of runs) this.#runs.set(run.id, run)
      this.#saved = definitions
      this.trouble = ''
    } catch (error) {
      this.trouble = faultOf(error).message
    }
    this.ready = true
  }

  /** All runs of the account, newest first. */
  readonly runs = $derived.by(() => [...this.#runs.values()].sort((a, b) => (a.id < b.id ? 1 : -1)))
  readonly #byReport = $derived.by(() => {
    const found = new Map<string, Run[]>()
    for (const run of this.runs) {
      const key = this.keyOf(run)
      if (key === undefined) continue
      const list = found.get(key)
      if (list) list.push(run)
      else found.set(key, [run])
    }
    return found
  })

  /** Keys of reports with edits that are drafts. */
  readonly #drafts = $derived.by(
    () =>
      new Set(
        this.app.replica
          .outbox()
          .filter(({ held, collection }) => held && collection === 'reports')
          .map(({ collection, parent, recordId }) => recordKey(collection, parent, recordId)),
      ),
  )
  markOf({ key, mark }: Pick<Row, 'key' | 'mark'>): MarkName {
    return mark === 'local' && this.#drafts.has(key) ? 'draft' : mark
  }

  readonly reports = $derived.by((): readonly ListedReport[] => {
    const known = [
      ...this.app.replica.rows('reports').flatMap((row) => this.#trafficking(row) ?? []),
      ...this.#definitions.map((definition) => this.#search(definition)),
    ].sort(byName)
    // A deleted report may still have files on this computer.
    const keys = new Set(known.map(({ key }) => key))
    const orphans = [...this.#byReport].filter(([key]) => !keys.has(key)).map(([key, runs]) => this.#gone(key, runs))
    return [...known, ...orphans]
  })
  readonly found = $derived.by(() => {
    const words = this.words.trim().toLowerCase().split(/\s+/).filter(Boolean)
    return this.reports.filter(({ name, type, id }) => {
      const text = `${name} ${type} ${id}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
  })

  readonly #params = $derived.by(() => this.app.navigation.place.params)
  readonly chosen = $derived.by((): ListedReport | undefined => {
    const wanted = String(this.#params['report'] ?? '')
    return wanted === '' ? undefined : this.listed(wanted)
  })
  /** ID of the placement to filter by, or ''. */
  readonly placement = $derived.by(() => String(this.#params['placement'] ?? ''))
  readonly page = $derived.by((): Page => (this.#params['page'] === 'runs' ? 'runs' : 'overview'))
  readonly tab = $derived.by((): Tab => {
    const wanted = this.#params['tab']
    return tabs.find((tab) => tab === wanted) ?? usualTab(this.chosen)
  })
  /** Run whose results are shown: the requested one, else the newest. */
  readonly shown = $derived.by((): Run | undefined => {
    const wanted = this.chosen?.runs.find(({ id, hasFile }) => hasFile && id === this.#params['run'])
    return wanted ?? this.chosen?.newest
  })
  /** ID of the run to compare with, or ''. */
  readonly against = $derived.by(() => String(this.#params['against'] ?? ''))
  /** Date ranges to compare within one run, or undefined. */
  readonly periods = $derived.by(() => readPeriods(this.#params['periods']))
  readonly profiles = $derived.by(() =>
    this.app.replica.rows('userProfiles').map(({ id, value }) => ({
      id,
      name: [value?.['userName'], value?.['accountName']].filter(Boolean).join(', ') || `#${id}`,
    })),
  )

  /** Profiles whose reports couldn't be loaded last time, so the list may be incomplete. */
  readonly unread = $derived.by(() =>
    (laneOf(this.app.replica.status, 'trafficking')?.unread ?? []).flatMap(({ collection, parent, fault }) => {
      const name = this.profiles.find(({ id }) => id === parent)?.name ?? `#${parent ?? ''}`
      return collection === 'reports' ? [{ profile: parent, name, words: sentence(saidWords(fault)) }] : []
    }),
  )
  /** The first profile whose reports could be loaded, else the first. */
  readonly usualProfile = $derived.by((): string | undefined => {
    const refused = new Set(this.unread.map(({ profile }) => profile))
    return (this.profiles.find(({ id }) => !refused.has(id)) ?? this.profiles[0])?.id
  })

  choose(key: string | null, more: { tab?: Tab; run?: string } = {}): void {
    const { navigation } = this.app
    navigation.go('reports', key === null ? {} : { report: key, ...more })
  }
  /** Shows a page about all reports. */
  turnTo(page: Page): void {
    this.app.navigation.go('reports', page === 'runs' ? { page } : {})
  }
  show(more: { tab?: Tab; run?: string; against?: string; periods?: string }): void {
    const { navigation } = this.app
    navigation.replace({ ...navigation.place.params, ...more })
  }

  /** Key of a run's report, or undefined if it never had one. */
  keyOf({ service, reportId, profileId }: Run): string | undefined {
    if (reportId === undefined) return undefined
    if (service === 'search') return searchKey(reportId)
    return this.app.replica.realKey(recordKey('reports', profileId ?? '', reportId))
  }
  /**
   * Finds a report by its current key or the one it had before it was sent, even if the list hasn't been updated yet.
   */
  listed(wanted: string): ListedReport | undefined {
    const [collection] = wanted.split('\n')
    const key = collection === 'reports' ? this.app.replica.realKey(wanted) : wanted
    const found = this.reports.find((report) => report.key === key)
    const row = found || collection !== 'reports' ? undefined : this.app.replica.peek(key)
    return found ?? (row && this.#trafficking(row))
  }

  /**
   * Runs a report after sending its pending changes. Undefined if that failed, which is shown. Opens the definition
   * instead if it lacks something, as a new one from a template may.
   */
  async run(report: ListedReport): Promise<Run | undefined> {
    const { app } = this
    const accountId = app.account.id
    if (this.#isIncomplete(report)) {
      this.choose(report.key, { tab: 'definition' })
      app.toasts.show(`Complete the definition of “${report.name}” to run it.`)
      return undefined
    }
    if (report.service === 'search') {
      const { id: reportId, name, definition: request } = report
      const wanted = { service: 'search' as const, reportId, name, request, zone: app.preferences.zone }
      return this.#begun(report, await this.#asked('reports/run', { accountId, wanted }, 'Couldn’t run the report.'))
    } else {
      const waiting = app.replica.outbox().filter((entry) => this.#isOf(entry, report))
      const held = waiting.filter(({ held }) => held).map(({ id }) => id)
      try {
        if (held.length > 0) await app.replica.post(held)
      } catch (error) {
        app.toasts.show(`${faultOf(error).message} The report didn’t run. Your changes are saved.`, { level: 'error' })
        return undefined
      }
      const wanted = {
        service: 'trafficking' as const,
        profileId: report.profile,
        report: { ...report.definition, id: report.id },
        awaits: waiting.map(({ id }) => id),
      }
      return this.#begun(report, await this.#asked('reports/run', { accountId, wanted }, 'Couldn’t run the report.'))
    }
  }
  /** Judges only definitions from this computer. The server has accepted the others. */
  #isIncomplete(report: ListedReport): boolean {
    const { service, definition } = report
    const problems: readonly { unsure?: true }[] =
      service === 'search'
        ? searchProblems(definition)
        : this.app.replica.outbox().some((entry) => this.#isOf(entry, report))
          ? problemsOf(definition, this.app.replica.facts.of('reports').table)
          : []
    return problems.some(({ unsure }) => !unsure)
  }
  #begun({ name }: ListedReport, run: Run | undefined): Run | undefined {
    if (run) this.app.announce(`Running “${name}”`)
    return run
  }
  #isOf(
    entry: { collection: string; recordId: string; parent: string | null },
    { id, profile }: ListedReport,
  ): boolean {
    return entry.collection === 'reports' && entry.recordId === id && entry.parent === profile
  }

  /** A page of runs on the server that this computer doesn’t have. @throws FaultError */
  serverRuns(report: ListedReport, pageToken?: string): Promise<ServerRuns> {
    const place = this.#onServer(report)
    return ask(this.app.bridge, 'reports/server-runs', { ...place, ...(pageToken !== undefined && { pageToken }) })
  }
  /** Downloads a run from the server. @throws FaultError */
  download(report: ListedReport, fileId: string): Promise<Run> {
    return ask(this.app.bridge, 'reports/download', { ...this.#onServer(report), fileId })
  }
  #onServer({ profile: profileId, id: reportId }: ListedReport): RequestArguments<'reports/server-runs'> {
    return { accountId: this.app.account.id, profileId, reportId }
  }

  /** The change that a queued run waits for and that needs attention. */
  stuckBy(run: Run): OutboxEntry | undefined {
    return stuckBy(run, this.app.replica.outbox())
  }
  wordsOf(run: Run): string {
    return runWords(run, this.app.clock.now, this.stuckBy(run))
  }
  stop(run: Run): Promise<unknown> {
    return this.#asked('reports/stop', this.#of(run), 'Couldn’t stop the run.')
  }
  /** Resumes a run, or starts a new one. */
  again(run: Run, rerun = false): Promise<unknown> {
    return this.#asked('reports/again', { ...this.#of(run), rerun }, 'Couldn’t start the run.')
  }
  pin(run: Run): Promise<unknown> {
    return this.#asked(
      'reports/pin',
      { ...this.#of(run), pinned: !run.pinned },
      `Couldn’t ${run.pinned ? 'unpin' : 'pin'} the run.`,
    )
  }
  reveal(run: Run): Promise<unknown> {
    return this.#asked('reports/reveal', this.#of(run), '')
  }
  remove(run: Run): Promise<void> {
    return removeRuns(this.app, [run])
  }

  /**
   * Saves a search report. Without `id`, creates one. The change applies at once to displaying, running, and copying,
   * even if saving fails.
   * @returns its key, or null if it wasn't saved
   */
  async keepDefinition(definition: { id?: string; name: string; request: JsonObject }): Promise<string | null> {
    const accountId = this.app.account.id
    const { id, name, request } = definition
    const change = id === undefined ? undefined : { id, name, request }
    if (change) this.#unsaved.set(change.id, change)
    const under = this.app.accounts.edits.begin(`Change ${name}`)
    const saved = await this.#asked(
      'reports/keep-definition',
      { accountId, definition },
      'Couldn’t save the change.',
    ).finally(under.end)
    if (!saved) return null
    this.#saved = [...this.#saved.filter(({ id }) => id !== saved.id), saved]
    if (this.#unsaved.get(saved.id) === change) this.#unsaved.delete(saved.id)
    return searchKey(saved.id)
  }

  /** Deletes a report. Its runs and files stay. */
  async delete(report: ListedReport): Promise<void> {
    const { app } = this
    const [label, text] = [`Delete *${report.name}*`, `Deleted “${report.name}”`]
    if (report.service === 'trafficking') {
      await app.edit([{ kind: 'delete', key: report.key }], { label }, { text, show: true })
      return
    }
    const accountId = app.account.id
    const gone = await this.#asked(
      'reports/remove-definition',
      { accountId, definitionId: report.id },
      'Couldn’t delete the report.',
    )
    if (gone === undefined) return
    this.#saved = this.#saved.filter(({ id }) => id !== report.id)
    this.#unsaved.delete(report.id)
    app.toasts.show(text, {
      action: {
        label: 'Undo',
        run: () => void this.keepDefinition({ id: report.id, name: report.name, request: report.definition }),
      },
    })
  }

  /** Creates a copy and opens its definition. */
  async duplicate(report: ListedReport): Promise<void> {
    const { app } = this
    const name = `Copy of ${report.name}`
    if (report.service === 'search') {
      const key = await this.keepDefinition({ name, request: report.definition })
      if (key !== null) this.choose(key, { tab: 'definition' })
      return
    }
    const facts = app.replica.facts.of('reports')
    const own = new Set<string>([
      ...facts.filled,
      'id',
      'kind',
      'etag',
      'lastModifiedTime',
      'fileName',
      'ownerProfileId',
    ])
    const value = Object.fromEntries(Object.entries(report.definition).filter(([field]) => !own.has(field)))
    const made = await app.edit(
      [{ kind: 'create', collection: 'reports', parent: report.profile, value: { ...value, name } }],
      { label: `Duplicate *${report.name}*` },
      { text: `Duplicated “${report.name}”`, show: true },
    )
    if (made) this.choose(made.keys[0]!, { tab: 'definition' })
  }

  #of({ accountId, id }: Run): { accountId: string; runId: string } {
    return { accountId, runId: id }
  }
  /** Sends a request. On failure, shows the error followed by `kept`, and returns undefined. */
  async #asked<N extends RequestName>(
    name: N,
    args: RequestArguments<N>,
    failed: string,
  ): Promise<RequestAnswers[N] | undefined> {
    return attempt(this.app.toasts, ask(this.app.bridge, name, args), { failed })
  }

  #trafficking(row: Row): ListedReport | undefined {
    const { key, id, parent, value } = row
    if (value === null) return undefined
    return this.#withRuns({
      key,
      service: 'trafficking',
      id,
      profile: parent ?? '',
      name: text(value['name']) || 'Untitled report',
      type: text(value['type']),
      definition: value,
      mark: this.markOf(row),
    })
  }
  #search({ id, name, request }: ShownDefinition): ListedReport {
    const definition = isJsonObject(request) ? request : {}
    const type = text(definition['reportType'])
    return this.#withRuns({
      key: searchKey(id),
      service: 'search',
      id,
      profile: '',
      name: name || 'Untitled report',
      type,
      definition,
      mark: 'synced',
    })
  }
  #gone(key: string, runs: readonly Run[]): ListedReport {
    const { service, reportId = '', profileId = '', name, type } = runs[0]!
    return this.#withRuns({
      ...{ key, service, id: reportId, profile: profileId, name, type },
      definition: {},
      mark: 'synced',
      gone: true,
    })
  }
  #withRuns(report: Omit<ListedReport, 'runs'>): ListedReport {
    const runs = this.#byReport.get(report.key) ?? []
    const newest = runs.find(({ hasFile }) => hasFile)
    const unfinished = runs.filter(({ state }) => !isOver(state))
    const active = unfinished.find(({ found }) => !found) ?? unfinished[0]
    return { ...report, runs, ...(newest && { newest }), ...(active && { active }) }
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

export const [useReports, provideReports] = createContext<ReportsModel>()
