/** Invented people, brands and media partners of the demo. */
export const colleagues = [
  ['Mina Park', 'mina.park@flightplan.example'],
  ['Jonas Weber', 'jonas.weber@flightplan.example'],
  ['Priya Nair', 'priya.nair@flightplan.example'],
  ['Tomás Herrera', 'tomas.herrera@flightplan.example'],
  ['Ingrid Solberg', 'ingrid.solberg@flightplan.example'],
  ['Daniel Okafor', 'daniel.okafor@flightplan.example'],
  ['Yuki Tanabe', 'yuki.tanabe@flightplan.example'],
  ['Chloé Lambert', 'chloe.lambert@flightplan.example'],
] as const

export const outsiders = [
  ['Ruth Adler', 'ruth.adler@brightwelltea.example'],
  ['Marco Bellini', 'marco@lumenoutdoor.example'],
  ['Hannah Voss', 'hannah.voss@kestrelradio.example'],
  ['Samuel Grant', 'sgrant@marlowebikes.example'],
  ['Aiko Mori', 'aiko.mori@tidelineferries.example'],
  ['Elena Petrova', 'elena@bluefinchmedia.example'],
  ['Oscar Lind', 'oscar.lind@nordkueche.example'],
  ['Grace Mensah', 'grace.mensah@oatfieldfoods.example'],
] as const

export const brands = [
  'Brightwell Tea',
  'Marlowe Bikes',
  'Tideline Ferries',
  'Nordküche',
  'Oatfield',
  'Pinecrest Roasters',
  'Solvane',
  'Harbour & Pine',
]
export const partners = [
  'Lumen Outdoor',
  'Kestrel Radio',
  'Bluefinch Media',
  'Northlight Streaming',
  'Metroframe Screens',
  'Papertrail Weekly',
]
export const flights = [
  'spring flight',
  'summer flight',
  'back-to-school flight',
  'autumn flight',
  'holiday flight',
  'always-on flight',
  'launch burst',
  'retention flight',
]
export const rooms = ['Room Aurora (2nd floor)', 'Room Fjord', 'Room Meridian', 'Small booth 3', 'Canteen']
export const cities = ['Hamburg', 'New York', 'Tokyo', 'Lisbon', 'Copenhagen', 'London']

export const meetings = [
  'Kick-off: {brand} {flight}',
  '{brand}: creative review, round 2',
  '{brand} media plan walk-through',
  'Budget check {brand}',
  'Trafficking hand-over {brand}',
  '{brand} tag and pixel check',
  'Pacing call {brand}',
  'Wrap-up: {brand} {flight}',
  '{brand}: placement list sign-off',
  'Forecast for {brand}, next quarter',
  'Contract questions {partner}',
  'Interview: media planner',
  'Prep for the {brand} pitch',
  'Naming convention working session',
  'Attribution model Q&A',
  'Coffee with {person}',
  'Report template review',
] as const

export const partnerMeetings = [
  '{partner}: rate card update',
  '{partner}: insertion order due',
  '{partner} inventory briefing',
  '{partner} makegood discussion',
  'Lunch with {partner}',
  '{partner}: delivery report',
  '{partner} audience workshop',
] as const

export const milestones = [
  'Launch: {brand} {flight}',
  'Creative deadline: {brand}',
  'Trafficking due: {brand}',
  'Mid-flight optimisation: {brand}',
  'Final report due: {brand}',
  'Booking deadline: {partner}',
] as const

export const teamMeetings = [
  'Team retro',
  'Onboarding session: {person}',
  'Workshop: measurement without cookies',
  'Knowledge hour: {partner} formats',
  'Demo of the new dashboards',
  'Team lunch',
  'Quarter goals check-in',
] as const

export const familyEvents = [
  'Dentist',
  'Dinner at Grandma’s',
  'Leo: swimming lesson',
  'Parents’ evening',
  'Bike repair pick-up',
  'Cinema with Sofia',
  'Farmers’ market',
  'Leo: football match',
  'Haircut',
  'Video call with Aunt Vera',
] as const

export const descriptions = [
  '<p>Agenda:</p><ol><li>Where we stand</li><li>Open questions from {brand}</li><li>Next steps and owners</li></ol>',
  'Please read the <b>media plan</b> before: <a href="https://docs.flightplan.example/plans/{slug}">plan</a>',
  '<p>Numbers so far:</p><ul><li>Impressions on plan</li><li>Click rate <i>slightly below</i> target</li></ul>',
  'Dial in from the train is fine, I will share the screen.',
  '<b>Decision needed:</b> keep the second wave or move the budget to {partner}?',
] as const

export const birthdays = [
  ['Mina', '03-14'],
  ['Sofia', '06-02'],
  ['Leo', '09-21'],
  ['Jonas', '11-24'],
  ['Grandma Ilse', '12-05'],
  ['Priya', '01-29'],
] as const
