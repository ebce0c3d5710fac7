import { z } from 'zod'
import { collectionNames } from '#shared/domain/collections'
import { providerIds } from '#shared/wire/providers'
import type { ServiceName } from '#shared/wire/services'
import type { Vocabulary } from '#shared/wire/vocabulary'

const downloadWhat = z.union([
  z.enum(['all', 'index']),
  z.object({ collection: z.enum(collectionNames), id: z.string() }),
])
/** Parts of a service's records that the user chose to keep on this computer. */
export const keptDownloads = z
  .array(z.object({ parent: z.string(), what: downloadWhat, paused: z.boolean() }))
  .max(100_000)
export type KeptDownload = z.output<typeof keptDownloads>[number]

export interface Account {
  id: string
  /** The user's email address. Empty until known. */
  email: string
  label: string
  /** Sample data in the built-in sandbox, or services on the network. */
  kind: 'sandbox' | 'service'
  /** Which words the service speaks on the wire. */
  vocabulary: Vocabulary
  /** Base address of each of the account's services. Empty for the sandbox until it has started. */
  services: Partial<Record<ServiceName, string>>
  /** The version in use, for services that have several. */
  versions: { trafficking?: string }
  /** `out`: the user signed out or never signed in. `expired`: the service took the sign-in back. */
  signIn: 'in' | 'out' | 'expired'
  /** Where the sign-in is stored: encrypted by the system, in memory until the app quits, or by the sandbox itself. */
  kept: 'system' | 'memory' | 'embedded'
  /** `signIn` is `in`. */
  signedIn: boolean
  /** A replica was created on this computer before, so an empty database means a lost one. */
  opened: boolean
  /** The last saved downloads, to restore them if the database is lost. */
  downloads: readonly KeptDownload[]
}

/** Services at an address, according to its service directory. */
export interface Offer {
  /** Known services in the order of the wire tables; versions as in their tables, the preferred one first. */
  services: Array<{ service: ServiceName; baseUrl: string; versions: string[] }>
  /** Names in the listing that Flightplan has no use for. */
  others: number
  /** The issuer whose metadata is at the address. If null, the user must enter one. */
  issuer: string | null
}

/** Result of a connection test. */
export interface ServiceCheck {
  service: ServiceName
  ok: boolean
  /** Why it doesn't answer. Empty if it does. */
  message: string
}

/** Arguments of a request about one account. */
export const account = z.object({ accountId: z.string() })
const address = z.string().min(1).max(2048)
/** Base addresses by service name. */
const addresses = z.record(z.string().max(40), address)
const versions = z.object({ trafficking: z.string().max(20).optional() })
const label = z.string().trim().min(1).max(200)

export const accountQuestions = {
  'account/list': z.object({}),
  /** Reads the service directory at an address, without any sign-in. */
  'account/discover': z.object({ address, vocabulary: z.enum(['neutral', 'public']) }),
  /** Providers that this build includes for adding accounts. */
  'account/offers': z.object({}),
  /** Adds the account with sample data, or returns it if it's already there. */
  'account/add-sample': z.object({}),
  /** Asks every service of an account for something small. */
  'account/check': account,
  /** Adds an account, signed out. Without `services`, `address` serves all that its listing names. */
  'account/add': z.object({
    label,
    /** Takes addresses, naming, and, unless `clientId` is there, the built-in client from here. */
    provider: z.enum(providerIds).optional(),
    vocabulary: z.enum(['neutral', 'public']),
    address: address.optional(),
    services: addresses.optional(),
    versions: versions.optional(),
    /** Sign-in address. Defaults to `address`. */
    issuer: address.optional(),
    clientId: z.string().max(500).optional(),
    clientSecret: z.string().max(500).optional(),
    /** Prefix of permission names, if the service's metadata doesn't list them. */
    scopeBase: z.string().max(500).optional(),
  }),
  /**
   * Changing the base address to another host ends the sign-in, because tokens are only for the hosts they were issued
   * for.
   */
  'account/change': account.extend({
    label: label.optional(),
    services: addresses.optional(),
    versions: versions.optional(),
  }),
  /** Called when the account's replica exists. */
  'account/opened': account,
  /** Saves the chosen downloads outside the database, which may be lost. */
  'account/downloads': account.extend({ downloads: keptDownloads }),
  /** Resolves when the user has finished in the browser. The sandbox account renews its sign-in at once. */
  'account/sign-in': account,
  'account/cancel-sign-in': account,
  /** Revokes and deletes the sign-in. Replica and queue stay. */
  'account/sign-out': account,
  /** Rejected while the account has pending changes. The renderer deletes the replica. */
  'account/remove': account,
} as const

export interface AccountAnswers {
  'account/list': Account[]
  'account/discover': Offer
  'account/offers': { builtInClient: boolean }
  'account/add-sample': Account
  'account/check': { services: ServiceCheck[] }
  'account/add': Account
  'account/change': Account
  'account/opened': null
  'account/downloads': null
  'account/sign-in': Account
  'account/cancel-sign-in': null
  'account/sign-out': Account
  'account/remove': null
}
