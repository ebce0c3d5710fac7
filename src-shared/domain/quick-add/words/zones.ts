/**
 * Meaning of a zone abbreviation. `offset`, in minutes, is set if the name implies a season. Otherwise, the zone's rule
 * applies.
 */
export interface NamedZone {
  zone: string
  offset?: number
}

const fixed = (table: string): [string, NamedZone][] =>
  table
    .trim()
    .split(/\s+/)
    .map((entry) => {
      const [name, zone, hours] = entry.split('=')
      return [name!, { zone: zone!, ...(hours !== undefined && { offset: Number(hours) * 60 }) }]
    })

/** Short names with one meaning. */
export const zoneNames: ReadonlyMap<string, NamedZone> = new Map(
  fixed(`
  utc=UTC gmt=UTC
  wet=Europe/Lisbon=0 west=Europe/Lisbon=1 cet=Europe/Berlin=1 cest=Europe/Berlin=2 mez=Europe/Berlin=1 mesz=Europe/Berlin=2
  eet=Europe/Helsinki=2 eest=Europe/Helsinki=3 oez=Europe/Helsinki=2 msk=Europe/Moscow
  et=America/New_York est=America/New_York=-5 edt=America/New_York=-4 ct=America/Chicago cdt=America/Chicago=-5
  mt=America/Denver mst=America/Denver=-7 mdt=America/Denver=-6 pt=America/Los_Angeles pst=America/Los_Angeles=-8
  pdt=America/Los_Angeles=-7 akst=America/Anchorage=-9 akdt=America/Anchorage=-8 hst=Pacific/Honolulu
  jst=Asia/Tokyo kst=Asia/Seoul sgt=Asia/Singapore hkt=Asia/Hong_Kong wib=Asia/Jakarta pkt=Asia/Karachi npt=Asia/Kathmandu
  aest=Australia/Sydney=10 aedt=Australia/Sydney=11 acst=Australia/Adelaide=9.5 acdt=Australia/Adelaide=10.5
  awst=Australia/Perth nzst=Pacific/Auckland=12 nzdt=Pacific/Auckland=13 brt=America/Sao_Paulo
  sast=Africa/Johannesburg eat=Africa/Nairobi wat=Africa/Lagos`),
)

/** Abbreviations that several places share, with those places. */
export const doubtfulZones: Readonly<Record<string, string>> = {
  ist: 'India, Israel, or Ireland',
  cst: 'Chicago, China, or Cuba',
  bst: 'London or Bangladesh',
  ast: 'Halifax or Arabia',
  gst: 'the Gulf or South Georgia',
  art: 'Argentina or part of the title',
  cat: 'Central Africa or part of the title',
  sst: 'Samoa or Singapore',
  wst: 'Samoa or Western Australia',
  ect: 'Ecuador or the Eastern Caribbean',
  amt: 'the Amazon or Armenia',
  pht: 'the Philippines or part of the title',
  ict: 'Indochina or part of the title',
  nst: 'Newfoundland or Nepal',
  ndt: 'Newfoundland or part of the title',
  clt: 'Chile or part of the title',
}

/** Short names that are words as well: zones only behind a time, and in capitals. */
export const alsoWords = new Set('eat art cat ist et ct mt pt west wet est hst clt'.split(' '))

/** Words behind a time that mean a zone, of which several places have one. */
export const zoneWords = new Set('eastern pacific mountain central atlantic local'.split(' '))

/** Words used before "time". */
export const zonePlaces: ReadonlyMap<string, string> = new Map(
  Object.entries({
    eastern: 'America/New_York',
    pacific: 'America/Los_Angeles',
    mountain: 'America/Denver',
    'central european': 'Europe/Berlin',
    'eastern european': 'Europe/Helsinki',
    indian: 'Asia/Kolkata',
    india: 'Asia/Kolkata',
    japan: 'Asia/Tokyo',
    uk: 'Europe/London',
    german: 'Europe/Berlin',
    'new york': 'America/New_York',
    nyc: 'America/New_York',
    'new yorker': 'America/New_York',
    boston: 'America/New_York',
    chicago: 'America/Chicago',
    denver: 'America/Denver',
    'los angeles': 'America/Los_Angeles',
    la: 'America/Los_Angeles',
    'san francisco': 'America/Los_Angeles',
    seattle: 'America/Los_Angeles',
    toronto: 'America/Toronto',
    'sao paulo': 'America/Sao_Paulo',
    'são paulo': 'America/Sao_Paulo',
    london: 'Europe/London',
    londoner: 'Europe/London',
    dublin: 'Europe/Dublin',
    lisbon: 'Europe/Lisbon',
    madrid: 'Europe/Madrid',
    paris: 'Europe/Paris',
    pariser: 'Europe/Paris',
    amsterdam: 'Europe/Amsterdam',
    rome: 'Europe/Rome',
    berlin: 'Europe/Berlin',
    berliner: 'Europe/Berlin',
    vienna: 'Europe/Vienna',
    wiener: 'Europe/Vienna',
    zurich: 'Europe/Zurich',
    züricher: 'Europe/Zurich',
    stockholm: 'Europe/Stockholm',
    helsinki: 'Europe/Helsinki',
    athens: 'Europe/Athens',
    istanbul: 'Europe/Istanbul',
    moscow: 'Europe/Moscow',
    moskauer: 'Europe/Moscow',
    cairo: 'Africa/Cairo',
    nairobi: 'Africa/Nairobi',
    johannesburg: 'Africa/Johannesburg',
    dubai: 'Asia/Dubai',
    mumbai: 'Asia/Kolkata',
    delhi: 'Asia/Kolkata',
    bangalore: 'Asia/Kolkata',
    kathmandu: 'Asia/Kathmandu',
    bangkok: 'Asia/Bangkok',
    singapore: 'Asia/Singapore',
    singapur: 'Asia/Singapore',
    'hong kong': 'Asia/Hong_Kong',
    beijing: 'Asia/Shanghai',
    shanghai: 'Asia/Shanghai',
    seoul: 'Asia/Seoul',
    tokyo: 'Asia/Tokyo',
    tokio: 'Asia/Tokyo',
    tokioter: 'Asia/Tokyo',
    sydney: 'Australia/Sydney',
    melbourne: 'Australia/Melbourne',
    auckland: 'Pacific/Auckland',
    honolulu: 'Pacific/Honolulu',
  }),
)
