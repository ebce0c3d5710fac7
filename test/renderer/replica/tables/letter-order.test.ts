import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { systemEnvironment } from '../../../../src-renderer/replica/environment'
import { FrameYield } from '../../../../src-renderer/replica/tables/frame-yield'
import { Weighed, weightsOf } from '../../../../src-renderer/replica/tables/letter-order'
import { ranksOf } from '../../../../src-renderer/replica/tables/order'

const locales = ['en', 'de', 'fr', 'fr-CA', 'it', 'es', 'nl', 'pl', 'sv', 'et', 'lt', 'ja', 'ru']
const ascii = fc.stringMatching(/^[ -~]{0,12}$/)

describe('letter order', () => {
  it.each(locales)('matches the locale %s', (locale) => {
    const weights = weightsOf(locale)
    const { compare } = new Intl.Collator(locale)
    expect(weights).not.toBeNull()
    fc.assert(
      fc.property(ascii, ascii, fc.constantFrom('', 'Site ', 'a-b_'), (a, b, before) => {
        const weighed = new Weighed(weights!, 2, 100)
        weighed.take(0, before + a)
        weighed.take(1, before + b)
        const by = weighed.compare(0, 1)
        if (by !== 0) expect(Math.sign(by)).toBe(Math.sign(compare(before + a, before + b)))
      }),
      { numRuns: 500 },
    )
  })

  it.each(['cs', 'sk', 'hr', 'hu', 'da', 'cy', 'en-u-kn'])(
    'is left to the locale for letter combinations: %s',
    (locale) => {
      expect(weightsOf(locale)).toBeNull()
    },
  )

  it('skips texts with other letters', () => {
    const weighed = new Weighed(weightsOf('en')!, 3, 20)
    for (const [number, text] of ['Cafe', 'Café', 'Cage'].entries()) weighed.take(number, text)
    expect([weighed.compare(0, 1), weighed.compare(1, 2)]).toEqual([0, 0])
    expect(weighed.compare(0, 2)).toBeLessThan(0)
  })
})

it('ranking many texts matches their locale, whatever the script', async () => {
  const parts = ['Site', 'site', 'SITE', 'Süd', 'Sud', 'naïve', 'Z_9', 'z-10', 'ß', '日本', '', ' ']
  const texts = Array.from({ length: 1_200 }, (_unused, n) =>
    [parts[n % 12]!, parts[(n * 7) % 11]!, String((n * 31) % 97)].join(n % 5 === 0 ? '' : ' '),
  )
  const ranks = await ranksOf(texts, false, new FrameYield(systemEnvironment))
  const { compare } = new Intl.Collator()
  const order = [...texts.keys()].sort((a, b) => ranks[a]! - ranks[b]!)
  for (let at = 1; at < order.length; at++) {
    const [before, now] = [order[at - 1]!, order[at]!]
    expect(Math.sign(ranks[before]! - ranks[now]!)).toBe(Math.sign(compare(texts[before]!, texts[now]!)))
  }
})
