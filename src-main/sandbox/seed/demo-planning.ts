import type { Stored } from '../trafficking/stored'
import type { Client, Stock } from './stock'
import { dayFrom, put } from './trafficking'

/** A project for each advertiser, with orders to sites, their documents, and the inventory that was planned. */
export function seedPlanning(stock: Stock): void {
  stock.clients.forEach((client, index) => seedProject(stock, client, index))
}

function seedProject({ home, chance, sites, strategies, categories }: Stock, client: Client, index: number): void {
  const modified = { createInfo: undefined }
  const advertiserId = client.advertiser.id
  const startDate = dayFrom(home.today, -90 + index * 20)
  const endDate = dayFrom(startDate, 180)
  const project = put(home, 'projects', {
    ...modified,
    name: `${client.words.name}: year plan`,
    advertiserId,
    clientName: client.words.name,
    clientBillingCode: `B-${1200 + index}`,
    overview: client.words.themes.join(', '),
    budget: String(180_000 + index * 25_000),
    audienceAgeGroup: 'PLANNING_AUDIENCE_AGE_25_34',
    startDate,
    endDate,
    targetImpressions: '12000000',
    targetClicks: '36000',
    targetConversions: '1400',
    targetCpmNanos: '6500000000',
  })
  for (let number = 0; number < 2; number++) {
    const two = chance.some(sites, 2)
    const order = put(home, 'orders', {
      ...modified,
      name: `${client.words.name} order ${number + 1}`,
      projectId: project.id,
      advertiserId,
      siteId: two.map(({ id }) => id),
      siteNames: two.map((site) => String(site.name)),
      buyerOrganizationName: 'Harbour & Pine Media',
      sellerOrganizationName: String(two[0]!.name),
      sellerOrderId: `S-${4400 + index * 2 + number}`,
      notes: number === 0 ? 'Signed by both sides' : 'Waiting for the new price list',
      contacts: [
        {
          contactName: 'Ines Falk',
          contactTitle: 'Key account manager',
          contactType: 'PLANNING_ORDER_CONTACT_SELLER_CONTACT',
          contactInfo: 'ines.falk@media-partners.example',
        },
      ],
    })
    seedDocument(home, order, number)
    for (const site of two)
      put(home, 'inventoryItems', {
        ...modified,
        name: `${String(site.name)}: planned`,
        projectId: project.id,
        orderId: order.id,
        advertiserId,
        siteId: site.id,
        inPlan: number === 0,
        type: number === 0 ? 'PLANNING_PLACEMENT_TYPE_REGULAR' : 'PLANNING_PLACEMENT_TYPE_CREDIT',
        placementStrategyId: strategies[index % strategies.length]!.id,
        contentCategoryId: categories[index % categories.length]!.id,
        estimatedClickThroughRate: '30000',
        estimatedConversionRate: '4000',
        adSlots: [
          {
            name: 'Top of page',
            compatibility: 'DISPLAY',
            width: '970',
            height: '250',
            paymentSourceType: 'PLANNING_PAYMENT_SOURCE_TYPE_AGENCY_PAID',
            primary: true,
          },
        ],
        pricing: {
          capCostType: 'PLANNING_PLACEMENT_CAP_COST_TYPE_NONE',
          pricingType: 'PLANNING_PLACEMENT_PRICING_TYPE_CPM',
          startDate,
          endDate,
          flights: [{ startDate, endDate, rateOrCost: '6500000000', units: '400000' }],
        },
      })
  }
}

function seedDocument(home: Stock['home'], order: Stored, number: number): void {
  const [profile] = home.objects.list('accountUserProfiles')
  const time = { time: String(home.now) }
  put(home, 'orderDocuments', {
    createInfo: undefined,
    createdInfo: time,
    title: `${String(order.name)}: ${number === 0 ? 'insertion order' : 'change order'}`,
    type: number === 0 ? 'PLANNING_ORDER_TYPE_INSERTION_ORDER' : 'PLANNING_ORDER_TYPE_CHANGE_ORDER',
    projectId: order.projectId,
    orderId: order.id,
    advertiserId: order.advertiserId,
    signed: number === 0,
    cancelled: false,
    effectiveDate: dayFrom(home.today, -30),
    approvedByUserProfileIds: number === 0 && profile ? [profile.id] : [],
    lastSentRecipients: ['orders@media-partners.example'],
    lastSentTime: new Date(home.now - 86_400_000).toISOString(),
  })
}
