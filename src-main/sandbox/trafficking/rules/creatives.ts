import { isJsonObject, type JsonObject } from '#shared/json'
import { fillIn, type Draft, type Rules } from '../draft'
import type { Objects } from '../objects'
import type { Stored } from '../stored'
import { missing, refusal } from '../refusals'
import { textAt } from '../shapes'

/** Environments in which creatives of a type can be shown. */
export function compatibilityOf(type: string): string[] {
  if (/INSTREAM_AUDIO/.test(type)) return ['IN_STREAM_AUDIO']
  if (/INSTREAM|VPAID/.test(type)) return ['IN_STREAM_VIDEO']
  if (/INTERSTITIAL/.test(type)) return ['DISPLAY_INTERSTITIAL', 'APP_INTERSTITIAL']
  return type === 'RICH_MEDIA_MOBILE_IN_APP' ? ['APP', 'APP_INTERSTITIAL'] : ['DISPLAY', 'APP']
}

export const creativeRules: Rules = {
  fill(draft) {
    const { after, before, objects } = draft
    const type = String(after.type)
    after.compatibility = compatibilityOf(type)
    after.sslCompliant = !/^http:/.test(String(after.redirectUrl ?? ''))
    after.version = (typeof before?.version === 'number' ? before.version : 0) + 1
    if (draft.verb === 'insert') fillIn(draft, 'renderingId', objects.nextId('renderings'))
    if (/RICH_MEDIA|VPAID/.test(type)) fillIn(draft, 'studioCreativeId', objects.nextId('studioCreatives'))
    if (type === 'DISPLAY' || type === 'HTML5_BANNER') fillIn(draft, 'authoringSource', 'CREATIVE_AUTHORING_SOURCE_DCM')
    fillAssets(draft)
  },
  check({ after }) {
    const type = String(after.type)
    if (/REDIRECT/.test(type) && !after.redirectUrl) throw missing('redirectUrl')
    if (/CUSTOM/.test(type) && !after.htmlCode) throw missing('htmlCode')
    if (after.dynamicAssetSelection === true && !after.creativeAssetSelection) throw missing('creativeAssetSelection')
  },
}

/** The advertiser's asset with this name and type. */
export const assetNamed = (objects: Objects, advertiserId: unknown, name: unknown, type: unknown): Stored | undefined =>
  objects
    .list('creativeAssets')
    .find(
      (asset) =>
        asset.advertiserId === advertiserId &&
        textAt(asset, 'assetIdentifier.name') === name &&
        textAt(asset, 'assetIdentifier.type') === type,
    )

/** Copies the facts of an uploaded file to the creative that uses it. */
function fillAssets({ after, objects, before }: Draft): void {
  if (!Array.isArray(after.creativeAssets)) return
  after.creativeAssets = after.creativeAssets.map((given, index) => {
    if (!isJsonObject(given) || !isJsonObject(given.assetIdentifier)) return given
    const { name, type } = given.assetIdentifier
    const asset = assetNamed(objects, after.advertiserId, name, type)
    if (!asset) {
      if (JSON.stringify(before?.creativeAssets ?? '').includes(JSON.stringify(name))) return given
      const at = `creativeAssets[${index}].assetIdentifier`
      throw refusal('unknown', `${at}: no such asset of the advertiser: ${String(name)}`, at)
    }
    const known: JsonObject = { fileSize: asset.fileSize, mimeType: asset.mimeType, sslCompliant: true }
    if (asset.size !== undefined && given.size === undefined) known.size = asset.size
    if (asset.detectedFeatures !== undefined) known.detectedFeatures = asset.detectedFeatures
    return { ...given, ...known, id: given.id ?? asset.id }
  })
}

export const creativeFieldRules: Rules = {
  /** Deletes a field's values, too. */
  removing(_call, objects, field) {
    for (const value of objects.list('creativeFieldValues').filter((one) => one.creativeFieldId === field.id))
      objects.remove('creativeFieldValues', value.id)
  },
}
