import type { Account } from '#shared/ipc/account-questions'

export interface DiagnosticsFacts {
  /** Epoch milliseconds. */
  now: number
  version: string
  /** Empty outside of Electron. */
  electron: string
  platform: string
  arch: string
  /** Version of the operating system’s kernel. */
  system: string
  locale: string
  timeZone: string
  safeMode: boolean
  offline: boolean
  keepsSignIns: 'system' | 'memory'
  accounts: readonly Account[]
  journal: { pending: number; unknown: number; damaged: number }
  /** Number of crash dumps on this computer. */
  crashDumps: number
  /** Free bytes of the disk with the profile. Undefined if unknown. */
  freeBytes: number | undefined
  /** Lines of the log. */
  log: string
}

/** The whole diagnostics file. Accounts are numbered: neither names nor addresses appear. */
export function diagnosticsText(facts: DiagnosticsFacts): string {
  const { journal, accounts } = facts
  const yes = (value: boolean): string => (value ? 'yes' : 'no')
  const rows: [string, string][] = [
    ['Saved', new Date(facts.now).toISOString()],
    ['Version', facts.version],
    ['Electron', facts.electron || 'none'],
    ['System', `${facts.platform} ${facts.system} ${facts.arch}`],
    ['Language', facts.locale],
    ['Time zone', facts.timeZone],
    ['Safe mode', yes(facts.safeMode)],
    ['Offline mode', yes(facts.offline)],
    ['Sign-ins stored', facts.keepsSignIns === 'system' ? 'encrypted by the system' : 'in memory'],
    ['Pending changes', String(journal.pending)],
    ['From a newer version', String(journal.unknown)],
    ['Damaged journal lines', String(journal.damaged)],
    ['Crash dumps', String(facts.crashDumps)],
    ['Free disk space', facts.freeBytes === undefined ? 'unknown' : `${Math.floor(facts.freeBytes / 1_000_000)} MB`],
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  return [
    'Flightplan diagnostics',
    '',
    ...rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`),
    '',
    'Accounts',
    ...(accounts.length === 0 ? ['  none'] : accounts.map(accountLine)),
    '',
    'Log',
    ...(facts.log === '' ? ['  empty'] : facts.log.trimEnd().split('\n')),
    '',
  ].join('\n')
}

function accountLine({ kind, services, signIn, versions }: Account, at: number): string {
  const words = { in: 'signed in', out: 'signed out', expired: 'session expired' }[signIn]
  const version = /^v\d[\d.]{0,8}$/.test(versions.trafficking ?? '') ? ` (trafficking ${versions.trafficking})` : ''
  return `  ${at + 1}: ${kind === 'sandbox' ? 'sample data' : 'services'}, ${words}: ${Object.keys(services).join(', ')}${version}`
}
