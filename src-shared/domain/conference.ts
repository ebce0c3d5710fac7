import { isJsonObject, type JsonObject } from '#shared/json'

/** The address to join an event’s conference, if it has one. */
export function conferenceLink(event: JsonObject): string | null {
  const data = event['conferenceData']
  const list = isJsonObject(data) ? data['entryPoints'] : undefined
  const points = Array.isArray(list) ? list.filter(isJsonObject) : []
  const isWeb = (uri: unknown): uri is string => typeof uri === 'string' && /^https?:\/\//.test(uri)
  const point = points.find((one) => one['entryPointType'] === 'video') ?? points.find((one) => isWeb(one['uri']))
  const link = point?.['uri'] ?? event['videoLink']
  return isWeb(link) && link.length <= 4096 ? link : null
}
