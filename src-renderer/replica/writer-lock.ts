/** Allows one writer per account across all windows. The window holds the Web Lock until it closes. */
export interface WriterLock {
  /** True if this window writes. */
  held: boolean
  /** Resolves when this window may write, possibly at once. */
  granted: Promise<void>
  release(): void
}

const always: WriterLock = { held: true, granted: Promise.resolve(), release: () => undefined }

export async function takeWriterLock(accountId: string, locks?: LockManager): Promise<WriterLock> {
  if (!locks) return always
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  const name = `flightplan:${accountId}`
  const asked = await new Promise<boolean>((resolve) => {
    void locks.request(name, { ifAvailable: true }, (lock) => {
      resolve(lock !== null)
      return lock === null ? undefined : released
    })
  })
  if (asked) return { held: true, granted: Promise.resolve(), release }
  const granted = new Promise<void>((resolve) => {
    void locks.request(name, () => {
      resolve()
      return released
    })
  })
  return { held: false, granted, release }
}
