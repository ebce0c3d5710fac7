import { isJsonObject, type JsonObject } from '#shared/json'
import type { Call } from '../operation'
import { logChanges } from './change-logs'
import { checkVisible } from './list'
import { objectsOf } from './objects'
import type { Stored } from './stored'
import { profileOf } from './profiles'
import { missing } from './refusals'
import { assetNamed } from './rules/creatives'
import { view } from './view'

/** HTML5 features that the service detects in a file's text. */
const features: Record<string, RegExp> = {
  CSS_ANIMATIONS: /@keyframes|animation\s*:/,
  CSS_FLEX_BOX: /display\s*:\s*flex/,
  CSS_TRANSITIONS: /transition\s*:/,
  CANVAS: /<canvas/i,
  VIDEO: /<video/i,
  AUDIO: /<audio/i,
  INLINE_SVG: /<svg/i,
}

/** POST: name and type of a file, whose content is uploaded. Clients must use the name in the response. */
export function insertAsset(call: Call): JsonObject {
  const { advertiserId } = call.params as { advertiserId: string }
  const profile = profileOf(call)
  const objects = objectsOf(call.service.store)
  checkVisible(call, 'advertisers', advertiserId)
  const { upload } = call
  const body = call.body as JsonObject
  const asked = isJsonObject(body.assetIdentifier) ? body.assetIdentifier : undefined
  if (!asked) throw missing('assetIdentifier')
  const type = String(asked.type)
  const name = freeName(
    String(asked.name ?? 'asset'),
    (one) => assetNamed(objects, advertiserId, one, type) === undefined,
  )
  const html = upload && /HTML/.test(type) ? upload.start.toString('utf8') : ''
  const rules = [
    ...(type === 'HTML' && upload && !/clickTag/i.test(html) ? ['CLICK_TAG_MISSING'] : []),
    ...(/src=["']http:/i.test(html) ? ['NOT_SSL_COMPLIANT'] : []),
    ...(upload?.bytes === 0 ? ['FILE_DETAIL_EMPTY'] : []),
  ]
  const asset: Stored = {
    id: objects.nextId('creativeAssets'),
    accountId: profile.accountId,
    subaccountId: profile.subaccountId,
    advertiserId,
    name,
    assetIdentifier: { name, type },
    richMedia: false,
    detectedFeatures: Object.keys(features).filter((feature) => features[feature]!.test(html)),
    warnedValidationRules: rules,
    ...(type === 'HTML' ? { clickTags: [{ name: 'clickTag', eventName: 'exit' }] } : {}),
    ...(upload ? { fileSize: String(upload.bytes), mimeType: upload.contentType, file: upload.name } : {}),
  }
  objects.put('creativeAssets', asset)
  upload?.keep()
  logChanges(objects, profile, call.service.store.now, [
    {
      objectType: 'OBJECT_CREATIVE_ASSET',
      objectId: asset.id,
      action: 'ACTION_CREATE',
      fieldName: 'name',
      newValue: name,
    },
  ])
  return view(call.table, objects, 'creativeAssets', 'CreativeAssetMetadata', asset, 'insert')
}

/** `banner.png`, or `banner_1.png` if that's taken. */
function freeName(wanted: string, isFree: (name: string) => boolean): string {
  const [, stem = wanted, ending = ''] = /^(.*?)(\.[^.]*)?$/.exec(wanted) ?? []
  for (let number = 0; ; number++) {
    const name = number === 0 ? wanted : `${stem}_${number}${ending}`
    if (isFree(name)) return name
  }
}
