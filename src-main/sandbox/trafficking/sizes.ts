import type { JsonObject } from '#shared/json'
import type { Call } from '../operation'
import { sizeWith } from './nested'
import { objectsOf } from './objects'
import { profileOf } from './profiles'
import { missing } from './refusals'
import { view } from './view'

/** POST: the size with these dimensions. Creates it if needed. */
export function insertSize(call: Call): JsonObject {
  profileOf(call)
  const objects = objectsOf(call.service.store)
  const { width, height } = call.body as { width?: number; height?: number }
  if (width === undefined) throw missing('width')
  if (height === undefined) throw missing('height')
  return view(call.table, objects, 'sizes', 'Size', sizeWith({ objects }, width, height), 'insert')
}
