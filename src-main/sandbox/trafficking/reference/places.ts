import { countryId } from './countries'
import { cells, rows } from './rows'

const country = (code: string) => ({ countryCode: code, countryLegacyId: countryId(code) })

/** Country, then region codes (ISO 3166-2 without the country) and names. */
const regionTable = `
US|AL Alabama,AK Alaska,AZ Arizona,AR Arkansas,CA California,CO Colorado,CT Connecticut,DE Delaware,DC District of Columbia
US|FL Florida,GA Georgia,HI Hawaii,ID Idaho,IL Illinois,IN Indiana,IA Iowa,KS Kansas,KY Kentucky,LA Louisiana,ME Maine
US|MD Maryland,MA Massachusetts,MI Michigan,MN Minnesota,MS Mississippi,MO Missouri,MT Montana,NE Nebraska,NV Nevada
US|NH New Hampshire,NJ New Jersey,NM New Mexico,NY New York,NC North Carolina,ND North Dakota,OH Ohio,OK Oklahoma,OR Oregon
US|PA Pennsylvania,RI Rhode Island,SC South Carolina,SD South Dakota,TN Tennessee,TX Texas,UT Utah,VT Vermont,VA Virginia
US|WA Washington,WV West Virginia,WI Wisconsin,WY Wyoming
DE|BW Baden-Württemberg,BY Bavaria,BE Berlin,BB Brandenburg,HB Bremen,HH Hamburg,HE Hesse,MV Mecklenburg-Vorpommern
DE|NI Lower Saxony,NW North Rhine-Westphalia,RP Rhineland-Palatinate,SL Saarland,SN Saxony,ST Saxony-Anhalt
DE|SH Schleswig-Holstein,TH Thuringia
GB|ENG England,NIR Northern Ireland,SCT Scotland,WLS Wales
FR|ARA Auvergne-Rhône-Alpes,BFC Bourgogne-Franche-Comté,BRE Brittany,CVL Centre-Val de Loire,20R Corsica,GES Grand Est
FR|HDF Hauts-de-France,IDF Île-de-France,NOR Normandy,NAQ Nouvelle-Aquitaine,OCC Occitanie,PDL Pays de la Loire
FR|PAC Provence-Alpes-Côte d'Azur
ES|AN Andalusia,AR Aragon,AS Asturias,CN Canary Islands,CL Castile and León,CT Catalonia,GA Galicia,MD Madrid,PV Basque Country,VC Valencia
IT|62 Lazio,25 Lombardy,72 Campania,21 Piedmont,52 Tuscany,34 Veneto,45 Emilia-Romagna,82 Sicily
NL|NH North Holland,ZH South Holland,UT Utrecht,NB North Brabant
AT|9 Vienna,6 Styria,5 Salzburg,7 Tyrol
CH|ZH Zürich,GE Geneva,BE Bern,BS Basel-Stadt,VD Vaud
CA|AB Alberta,BC British Columbia,MB Manitoba,NB New Brunswick,NL Newfoundland and Labrador,NS Nova Scotia,ON Ontario
CA|PE Prince Edward Island,QC Quebec,SK Saskatchewan
AU|ACT Australian Capital Territory,NSW New South Wales,NT Northern Territory,QLD Queensland,SA South Australia,TAS Tasmania
AU|VIC Victoria,WA Western Australia
SE|AB Stockholm,M Skåne,O Västra Götaland
DK|84 Capital Region of Denmark,82 Central Denmark
JP|13 Tokyo,27 Osaka,14 Kanagawa,23 Aichi
BR|SP São Paulo,RJ Rio de Janeiro,MG Minas Gerais
IN|MH Maharashtra,DL Delhi,KA Karnataka,TN Tamil Nadu
`

export const regions = rows(
  cells(regionTable).flatMap(([code = '', list = '']) =>
    list.split(',').map((item) => {
      const [regionCode = '', ...name] = item.split(' ')
      const id = `${countryId(code)}${[...regionCode].map((letter) => letter.charCodeAt(0) % 100).join('')}`
      return { id, legacyId: id, regionCode, name: name.join(' '), ...country(code) }
    }),
  ),
)

const regionId = new Map(
  regions.map((region) => [`${String(region.countryCode)} ${String(region.regionCode)}`, region.id]),
)

/** Designated market areas of the United States, by their numbers. */
const metroTable = `
501 New York NY|803 Los Angeles CA|602 Chicago IL|504 Philadelphia PA|807 San Francisco-Oakland-San Jose CA
623 Dallas-Ft. Worth TX|506 Boston MA-Manchester NH|511 Washington DC|618 Houston TX|524 Atlanta GA|505 Detroit MI
753 Phoenix AZ|539 Tampa-St. Petersburg FL|819 Seattle-Tacoma WA|613 Minneapolis-St. Paul MN|528 Miami-Ft. Lauderdale FL
751 Denver CO|534 Orlando-Daytona Beach FL|510 Cleveland-Akron OH|862 Sacramento-Stockton-Modesto CA|609 St. Louis MO
820 Portland OR|508 Pittsburgh PA|517 Charlotte NC|527 Indianapolis IN|512 Baltimore MD|560 Raleigh-Durham NC|659 Nashville TN
825 San Diego CA|770 Salt Lake City UT|616 Kansas City MO|641 San Antonio TX|617 Milwaukee WI|515 Cincinnati OH|535 Columbus OH
635 Austin TX|839 Las Vegas NV|622 New Orleans LA|640 Memphis TN|744 Honolulu HI
`

export const metros = rows(
  cells(metroTable).flatMap((line) =>
    line.map((item) => {
      const [code = '', ...name] = item.split(' ')
      const id = `200${code}`
      return { id, legacyId: id, dmaId: code, metroCode: code, name: name.join(' '), ...country('US') }
    }),
  ),
)

/** Country and region, then city, its metro in the United States, and some of its postal codes. */
const cityTable = `
US NY|New York:501:10001 10011 10036,Brooklyn:501:11201 11215,Buffalo::14201
US CA|Los Angeles:803:90012 90036,San Francisco:807:94103 94110,San Diego:825:92101,San Jose:807:95112,Sacramento:862:95814
US IL|Chicago:602:60601 60614
US PA|Philadelphia:504:19103,Pittsburgh:508:15222
US TX|Dallas:623:75201,Houston:618:77002,Austin:635:78701 78704,San Antonio:641:78205
US MA|Boston:506:02108 02116
US DC|Washington:511:20001
US GA|Atlanta:524:30303
US MI|Detroit:505:48226
US AZ|Phoenix:753:85004
US FL|Miami:528:33130,Orlando:534:32801,Tampa:539:33602
US WA|Seattle:819:98101 98109
US MN|Minneapolis:613:55401
US CO|Denver:751:80202
US OR|Portland:820:97204
US NV|Las Vegas:839:89101
DE BE|Berlin::10115 10178 10965
DE HH|Hamburg::20095 22767
DE BY|Munich::80331 80802,Nuremberg::90402,Augsburg::86150
DE HE|Frankfurt::60311,Wiesbaden::65183,Kassel::34117
DE NW|Cologne::50667 50823,Düsseldorf::40213,Dortmund::44135,Essen::45127,Bonn::53111,Münster::48143
DE BW|Stuttgart::70173,Mannheim::68159,Karlsruhe::76133,Freiburg::79098
DE SN|Leipzig::04109,Dresden::01067
DE NI|Hanover::30159
DE HB|Bremen::28195
DE SH|Kiel::24103,Lübeck::23552
GB ENG|London::SW1A EC2A N1,Manchester::M1,Birmingham::B1,Leeds::LS1,Bristol::BS1,Liverpool::L1
GB SCT|Edinburgh::EH1,Glasgow::G1
GB WLS|Cardiff::CF10
GB NIR|Belfast::BT1
FR IDF|Paris::75001 75011,Versailles::78000
FR ARA|Lyon::69001,Grenoble::38000
FR PAC|Marseille::13001,Nice::06000
FR OCC|Toulouse::31000,Montpellier::34000
FR NAQ|Bordeaux::33000
FR PDL|Nantes::44000
FR HDF|Lille::59000
FR GES|Strasbourg::67000
ES MD|Madrid::28001
ES CT|Barcelona::08001
ES VC|Valencia::46001
ES AN|Seville::41001,Málaga::29001
IT 62|Rome::00118
IT 25|Milan::20121
IT 72|Naples::80121
IT 21|Turin::10121
IT 52|Florence::50121
NL NH|Amsterdam::1012
NL ZH|Rotterdam::3011,The Hague::2511
NL UT|Utrecht::3511
AT 9|Vienna::1010 1070
AT 6|Graz::8010
AT 5|Salzburg::5020
CH ZH|Zürich::8001
CH GE|Geneva::1201
CH BE|Bern::3011
CA ON|Toronto::M5H,Ottawa::K1P
CA QC|Montréal::H2Y
CA BC|Vancouver::V6B
CA AB|Calgary::T2P
AU NSW|Sydney::2000
AU VIC|Melbourne::3000
AU QLD|Brisbane::4000
AU WA|Perth::6000
SE AB|Stockholm::111
SE O|Gothenburg::411
DK 84|Copenhagen::1050
JP 13|Tokyo::100
JP 27|Osaka::530
BR SP|São Paulo::01000
BR RJ|Rio de Janeiro::20000
IN MH|Mumbai::400001
IN DL|New Delhi::110001
IN KA|Bengaluru::560001
`

interface CityLine {
  code: string
  region: string
  name: string
  metro: string
  postal: string[]
}

const cityLines: CityLine[] = cells(cityTable).flatMap(([where = '', list = '']) => {
  const [code = '', region = ''] = where.split(' ')
  return list.split(',').map((item) => {
    const [name = '', metro = '', postal = ''] = item.split(':')
    return { code, region, name, metro, postal: postal.split(' ').filter(Boolean) }
  })
})

export const cities = rows(
  cityLines.map(({ code, region, name, metro }, index) => {
    const id = String(1_001_001 + index)
    return {
      id,
      legacyId: id,
      name,
      regionCode: region,
      regionLegacyId: regionId.get(`${code} ${region}`),
      ...(metro ? { metroCode: metro, metroDmaId: metro } : {}),
      ...country(code),
    }
  }),
)

export const postalCodes = rows(
  cityLines.flatMap(({ code, postal }) =>
    postal.map((postalCode) => ({ id: `${code}:${postalCode}`, code: postalCode, ...country(code) })),
  ),
)
