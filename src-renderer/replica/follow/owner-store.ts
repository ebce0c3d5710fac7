import type { Layouts } from '../blocks/layouts'
import type { Store } from '../store'
import type { Connection } from './connection'

/** The owner's store, as another window reads it. Only the owner writes. */
export const ownerStore = (connection: () => Connection, layouts: Layouts): Store => ({
  layouts,
  open: () => Promise.resolve(),
  // Loading would move unreadable data aside. The owner has done so.
  write: () => Promise.resolve(),
  all: (table) => connection().read('all', table),
  get: (table, keys) => connection().read('get', table, keys),
  wholeRows: () => connection().read('wholeRows'),
  neededRows: () => connection().read('neededRows'),
  windowAt: (from, to) => connection().read('windowAt', from, to),
  shelfNames: () => connection().read('shelfNames'),
  blocksOf: (shelf) => connection().read('blocksOf', shelf),
  looseRows: (after, limit) => connection().read('looseRows', after, limit),
  fold: () => Promise.resolve(false),
  rowKeys: (collection, parent) => connection().read('rowKeys', collection, parent),
  history: (limit) => connection().read('history', limit),
  onMoved: () => undefined,
  onLost: () => undefined,
  onEmptied: () => undefined,
  close: () => Promise.resolve(),
  destroy: () => Promise.resolve(),
})
