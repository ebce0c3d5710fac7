import { counted } from '../../../ui/counted'
import { createContext, untrack } from 'svelte'
import { faultOf, type Fault } from '#shared/fault'
import type { Place } from '#shared/links/place'
import type { RequestAnswers, RequestArguments, RequestName } from '#shared/ipc/contract'
import type { SearchFile, SearchPlace, Sending } from '#shared/search-ads/questions'
import { ask } from '../../../bridge'
import type { AppContext } from '../../../context/context'

export const parts = ['accounts', 'columns', 'conversions', 'availability', 'mapping'] as const
export type Part = (typeof parts)[number]

/** Local search ads data, and which part is displayed. */
export class SearchAdsModel {
  readonly app: AppContext
  places = $state.raw<readonly SearchPlace[]>([])
  files = $state.raw<readonly SearchFile[]>([])
  sendings = $state.raw<readonly Sending[]>([])
  ready = $state(false)
  /** Why the last request failed. */
  fault = $state.raw<Fault | null>(null)
  /** Describes the running request. */
  busy = $state('')

  constructor(app: AppContext) {
    this.app = app
  }

  /**
   * Loads saved data and follows uploads.
   * @returns a function that stops
   */
  follow(): () => void {
    const { bridge, account } = this.app
    const off = bridge.on('search/sent', ({ accountId, sendings }) => {
      if (accountId === account.id) this.sendings = sendings
    })
    void untrack(() => this.read())
    return off
  }

  async read(): Promise<void> {
    const { bridge, account } = this.app
    const accountId = account.id
    try {
      const [{ places }, { files }, { sendings }] = await Promise.all([
        ask(bridge, 'search/places', { accountId }),
        ask(bridge, 'search/files', { accountId }),
        ask(bridge, 'search/sendings', { accountId }),
      ])
      this.places = places
      this.files = files
      this.sendings = sendings
      this.fault = null
    } catch (error) {
      this.fault = faultOf(error)
    }
    this.ready = true
  }

  readonly params = $derived.by(() => this.app.navigation.place.params)
  readonly chosen = $derived.by((): SearchPlace | undefined => {
    const wanted = this.params['place']
    return this.places.find(({ id }) => id === wanted) ?? this.places[0]
  })
  readonly part = $derived.by((): Part => parts.find((part) => part === this.params['part']) ?? 'accounts')
  /** The displayed advertiser, or that of the displayed account. */
  readonly advertiser = $derived.by((): { agencyId: string; advertiserId: string } | undefined => {
    const { agencyId, advertiserId } = this.chosen ?? {}
    return agencyId && advertiserId ? { agencyId, advertiserId } : undefined
  })
  /** Engine accounts below the displayed place. */
  readonly accounts = $derived.by(() => {
    const within = this.chosen?.id
    return this.places.filter(
      ({ id, engineAccountId }) =>
        engineAccountId !== undefined && within !== undefined && (id === within || id.startsWith(`${within}/`)),
    )
  })

  choose(place: string, more: Place['params'] = {}): void {
    this.fault = null
    this.app.navigation.go('search-ads', { place, part: this.part, ...more })
  }
  /** Changes what the conversions are to be of, which is part of the place. */
  narrow(params: Place['params']): void {
    this.app.navigation.replace({ ...this.params, ...params })
  }
  show(part: Part): void {
    this.fault = null
    this.app.navigation.replace({ ...this.params, part })
  }

  nameOf(id: string): string {
    const place = this.places.find((one) => one.id === id)
    return place?.name ?? `#${id.split('/').at(-1)}`
  }

  /** Sends a request to main. Sets `busy` while it runs. After an error, sets `fault` and returns undefined. */
  async asked<N extends RequestName>(
    words: string,
    name: N,
    args: Omit<RequestArguments<N>, 'accountId'>,
  ): Promise<RequestAnswers[N] | undefined> {
    const { bridge, account } = this.app
    this.busy = words
    this.fault = null
    try {
      return await ask(bridge, name, { ...args, accountId: account.id } as never)
    } catch (error) {
      const fault = faultOf(error)
      if (fault.code !== 'aborted') this.fault = fault
      return undefined
    } finally {
      this.busy = ''
    }
  }

  async findAccounts(agencyId: string): Promise<void> {
    const answer = await this.asked('Finding the accounts of the agency…', 'search/find-accounts', { agencyId })
    if (!answer) return
    this.places = answer.places
    this.app.navigation.go('search-ads', { place: agencyId, part: 'accounts' })
    const { found } = answer
    this.app.announce(`Found ${counted(found, 'engine account')}`)
  }

  async keepPlace(place: RequestArguments<'search/keep-place'>['place']): Promise<boolean> {
    const answer = await this.asked('', 'search/keep-place', { place })
    if (!answer) return false
    this.places = answer.places
    this.choose([place.agencyId, place.advertiserId, place.engineAccountId].filter(Boolean).join('/'))
    return true
  }

  /** Removes a place from the list, with everything below it. Doesn't change anything on the server. */
  async removePlace(place: SearchPlace): Promise<void> {
    const gone = this.places.filter(({ id }) => id === place.id || id.startsWith(`${place.id}/`))
    const answer = await this.asked('', 'search/remove-place', { place: plain(place) })
    if (!answer) return
    this.places = answer.places
    this.app.toasts.show(`Removed “${place.name ?? place.id}” from the list. Nothing changed on the server.`, {
      action: {
        label: 'Undo',
        run: () =>
          void (async () => {
            for (const one of gone) {
              const back = await this.asked('', 'search/keep-place', { place: plain(one) })
              if (back) this.places = back.places
            }
          })(),
      },
    })
  }

  fileKept(file: SearchFile): void {
    this.files = [file, ...this.files.filter(({ id }) => id !== file.id)]
  }
  async removeFile(file: SearchFile): Promise<void> {
    const gone = await this.asked('', 'search/remove-file', { fileId: file.id })
    if (gone === null) this.files = this.files.filter(({ id }) => id !== file.id)
  }
  stop(): void {
    void ask(this.app.bridge, 'search/cancel', { accountId: this.app.account.id })
  }

  /**
   * Queues a conversion. Its receipt reports the outcome.
   * @param made the ID generated for it
   * @param shown the conversion's editable fields as displayed
   */
  async send(
    kind: Sending['kind'],
    body: Sending['body'],
    more: { made?: string | undefined; shown?: Sending['body'] | undefined } = {},
  ): Promise<boolean> {
    const { made, shown } = more
    const kept = await this.asked('', 'search/send', { kind, body, ...(made && { made }), ...(shown && { shown }) })
    return kept !== undefined
  }
  /** Resends an update over someone else's change, which its author has now seen. */
  async sendOver(sending: Sending): Promise<void> {
    if (await this.send('update', sending.body, { shown: sending.there })) await this.removeSending(sending)
  }
  async sendWaiting(): Promise<void> {
    const answer = await this.asked('Sending pending conversions…', 'search/send-waiting', {})
    if (answer) this.sendings = answer.sendings
  }
  async removeSending(sending: Sending): Promise<void> {
    const answer = await this.asked('', 'search/remove-sending', { sendingId: sending.id })
    if (answer) this.sendings = answer.sendings
  }
}

const plain = ({ agencyId, advertiserId, engineAccountId, customerId, name }: SearchPlace) => ({
  agencyId,
  ...(advertiserId && { advertiserId }),
  ...(engineAccountId && { engineAccountId }),
  ...(customerId && { customerId }),
  ...(name && { name }),
})

export const [useSearchAds, provideSearchAds] = createContext<SearchAdsModel>()
