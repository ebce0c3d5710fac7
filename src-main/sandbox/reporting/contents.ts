import type { Store } from '../store'

/** Stores the bytes of finished reports, by an ID that includes the service, and the number of the fragment. */
export function keepContent(store: Store, id: string, fragment: number, bytes: Uint8Array): void {
  store.put('report_contents', { id, fragment, bytes })
}

export const contentOf = (store: Store, id: string, fragment = 0): Uint8Array | undefined =>
  store.get<{ bytes: Uint8Array }>('SELECT bytes FROM report_contents WHERE id = ? AND fragment = ?', id, fragment)
    ?.bytes

export const dropContent = (store: Store, id: string): void =>
  void store.run('DELETE FROM report_contents WHERE id = ?', id)
