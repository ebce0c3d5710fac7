export interface AdvertiserWords {
  name: string
  host: string
  /** Index into the groups; absent: in none. */
  group?: number
  /** Themes of its campaigns. */
  themes: readonly string[]
  /** Two wordings of its creatives. */
  lines: readonly [string, string]
  /** The activity that is a sale, and other activities to count. */
  sale: string
  visits: readonly string[]
}

export const advertiserGroups = ['Nordic Leisure Group', 'Everyday Brands'] as const

export const advertisers: readonly AdvertiserWords[] = [
  {
    name: 'Lindqvist Outdoor',
    host: 'lindqvist-outdoor.example',
    group: 0,
    themes: ['Rain jackets', 'Summit boots', 'Family tents', 'Winter layers', 'Trail weekend'],
    lines: ['Out by breakfast', 'Weather is a detail'],
    sale: 'Order placed',
    visits: ['Product viewed', 'Shop finder used'],
  },
  {
    name: 'Fernweh Reisen',
    host: 'fernweh-reisen.example',
    group: 0,
    themes: ['Early bookers', 'City breaks', 'Baltic coast', 'Ski trains', 'Last seats'],
    lines: ['Monday can wait', 'The sea is six hours away'],
    sale: 'Trip booked',
    visits: ['Destination viewed', 'Brochure ordered'],
  },
  {
    name: 'Kessel & Korn',
    host: 'kessel-korn.example',
    group: 1,
    themes: ['Sunday rolls', 'Rye and honey', 'Christmas stollen', 'New bakery openings'],
    lines: ['Warm until noon', 'Baked before you wake'],
    sale: 'Box ordered',
    visits: ['Recipe viewed', 'Opening hours viewed'],
  },
  {
    name: 'Aurelia Skin Care',
    host: 'aurelia-skincare.example',
    group: 1,
    themes: ['Day cream', 'Sun and salt', 'Night repair', 'Gift sets'],
    lines: ['Less in it, more of you', 'Soft starts here'],
    sale: 'Basket paid',
    visits: ['Skin test finished', 'Sample requested'],
  },
  {
    name: 'Novalumen Energie',
    host: 'novalumen.example',
    group: 1,
    themes: ['Solar roofs', 'Heat pump advice', 'Switch in ten minutes', 'Green tariff'],
    lines: ['Your roof works too', 'Ten minutes, one signature'],
    sale: 'Contract signed',
    visits: ['Tariff calculated', 'Call-back requested'],
  },
  {
    name: 'Brisa Mobility',
    host: 'brisa-mobility.example',
    themes: ['City e-bikes', 'Subscription launch', 'Cargo for families', 'Helmet week'],
    lines: ['Skip the jam', 'Uphill is over'],
    sale: 'Subscription started',
    visits: ['Bike configured', 'Test ride booked'],
  },
]

export const seasons = ['spring', 'summer', 'autumn', 'winter'] as const
export const strategies = ['Awareness', 'Consideration', 'Retargeting', 'Sponsorship'] as const
export const categories = ['News', 'Weather', 'Lifestyle', 'Travel', 'Finance', 'Games'] as const
export const lists = ['Visitors of 30 days', 'Basket left behind', 'Bought before'] as const

/** Display sizes in pixels. Each campaign uses four of them. */
export const displaySizes = [
  [300, 250],
  [728, 90],
  [160, 600],
  [300, 600],
  [970, 250],
  [320, 50],
] as const
