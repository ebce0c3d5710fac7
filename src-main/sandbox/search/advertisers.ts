import { Media, type Call, type HandlersOf } from '../operation'
import { contentEtag } from '../etags'
import { notFound } from '../problems'
import { encodeLines } from '../reporting/separated'
import { savedColumns } from './search-columns'
import { resolve } from './scope'
import { searchTree, type SearchAdvertiser, type SearchTree } from './tree'

/** @throws Problem 404 if the agency has no such advertiser */
function advertiserOf(call: Call): { tree: SearchTree; advertiser: SearchAdvertiser } {
  const { agencyId, advertiserId } = call.params as { agencyId: string; advertiserId: string }
  const tree = searchTree(call.service)
  const found = resolve(tree, { agencyId, advertiserId })
  if ('wrong' in found) throw notFound(`There is no such ${found.wrong}.`)
  return { tree, advertiser: found.scope.advertiser! }
}

type AdvertiserHandlers = Pick<HandlersOf<'search.reports'>, 'search.reports.getIdMappingFile'> &
  HandlersOf<'search.savedColumns'>

export const searchAdvertiserHandlers: AdvertiserHandlers = {
  'search.savedColumns.list': (call) => {
    advertiserOf(call)
    const items = savedColumns.map(({ name, type }) => ({ kind: 'search#savedColumn', savedColumnName: name, type }))
    return { kind: 'search#savedColumnList', items }
  },

  /** A line for each object under the advertiser that exists in both versions of the product, with both IDs. */
  'search.reports.getIdMappingFile': (call) => {
    const { advertiser } = advertiserOf(call)
    const lines: string[][] = [['Entity type', 'Name', 'Previous id', 'New id', 'Customer id']]
    const add = (type: string, name: string, id: string): void =>
      void lines.push([type, name, id, newId(type, id), advertiser.customerId])
    add('Advertiser', advertiser.name, advertiser.id)
    lines.push([
      'Engine account',
      advertiser.name,
      advertiser.engineAccountId,
      advertiser.customerId,
      advertiser.customerId,
    ])
    for (const campaign of advertiser.campaigns) {
      add('Campaign', campaign.name, campaign.id)
      for (const adGroup of campaign.adGroups) {
        add('Ad group', adGroup.name, adGroup.id)
        for (const keyword of adGroup.keywords) add('Keyword', keyword.text, keyword.id)
        for (const ad of adGroup.ads) add('Ad', ad.headline, ad.id)
      }
    }
    const bytes = encodeLines(lines, 'csv')
    return new Media('text/csv; charset=UTF-8', bytes, `id-mapping-${advertiser.id}.csv`, contentEtag(lines))
  },
}

/** IDs in the new product are shorter than in the previous one. The first digit distinguishes kinds. */
const newId = (type: string, id: string): string => `${type.length}${id.slice(-11).padStart(11, '0')}`
