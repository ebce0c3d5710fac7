/** What the window stores of each account, by name: typed text that isn't saved elsewhere, and answers of the service. */
const names = ['default-list', 'drafts', 'free-busy', 'lines', 'unwritten'] as const

/** Key of what the window stores of an account. */
export const accountKey = (name: (typeof names)[number], accountId: string): string => `flightplan.${name}.${accountId}`

/** Deletes what the window stored of an account that was removed. */
export function forgetAccount(storage: Pick<Storage, 'removeItem'>, accountId: string): void {
  for (const name of names) storage.removeItem(accountKey(name, accountId))
}
