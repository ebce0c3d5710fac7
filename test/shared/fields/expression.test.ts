import { describe, expect, it } from 'vitest'
import { readExpression } from '#shared/fields/expression'

const problem = (source: string): string | undefined => {
  const read = readExpression(source, false)
  return 'problem' in read ? read.problem : undefined
}

const texts = [
  '',
  'abc ABC',
  'a\nb\r\nc',
  'x\u00a0y\u2003z\ufeff\v',
  'Straße ÄÖ äö K',
  '300x250, 2024-05-06',
  'utm_a&utm_b',
  '😀a😃',
  'a.b/c-d[e]^$',
  '\u2028line\u2029',
  'foo bar foobar',
  '\0\t',
]
const sources = [
  ...['a', 'a*', '.', '.+', '^', '$', '^.*$', 'x?', '(?:)', 'a+?', 'a{2}', 'a{1,2}?', '(a+)+$'],
  ...['\\s', '\\S+', '[\\s]', '[^\\s]', '[\\S]', '[^\\S\\n]', '[\\s\\S]', '\\w+', '\\W', '\\d', '\\D', '\\b', '[\\w-]'],
  ...['[^]', '[]', '[.]', '[a-c]', '[^a]', '[\\]\\^$]', '[(?=]', '[\\b]', '\\/', '\\.', '\\$', '\\\\s'],
  ...[
    '\\u{1F600}',
    '\\u0061',
    '\\x61',
    '\\ud83d\\ude00',
    '[\\ud83d\\ude00]',
    '😀',
    '[😀😃]',
    '\\cJ',
    '\\0',
    '\\t',
    '\\v',
  ],
  ...['\\p{L}', '\\p{Lu}', '\\P{L}', '\\p{Script=Greek}', '\\p{sc=Latin}', '\\p{gc=Lu}', '\\p{Emoji_Presentation}'],
  ...['(\\d+)x(\\d+)', '(?<y>\\d{4})-(?<m>\\d\\d)', '(?:a|ab)(?:c|bcd)?', '(a)|b', '(?<=foo)bar', '(?<!foo)bar'],
  ...['ß', 'ä', 'k', 'utm_(\\w+)'],
]
const templates = ['<$&>', '$1$2|$01|$10', '$<y>/$<nobody>', '$$1', '$`|$’', "$'", '$0 $', '']

describe('a regular expression', () => {
  it('finds and replaces as in JavaScript', () => {
    const differ: unknown[] = []
    for (const matchCase of [true, false])
      for (const source of sources) {
        const native = new RegExp(source, matchCase ? 'gu' : 'giu')
        const read = readExpression(source, matchCase)
        if ('problem' in read) throw new Error(`${source}: ${read.problem}`)
        for (const text of texts)
          for (const by of templates) {
            const [mine, known] = [read.replace(text, by) ?? text, text.replace(native, by)]
            if (mine !== known) differ.push({ source, text, by, mine, known })
          }
      }
    expect(differ).toEqual([])
  })

  it.each(['^(a+)+$', '(a|aa)+$', '^(\\w+\\s?)*$', '(.*)*x'])('%s finishes without a match', (source) => {
    const text = `${'a'.repeat(500)}!`
    const read = readExpression(source, false)
    expect('replace' in read && read.replace(text, 'never')).toBeUndefined()
  })

  it("explains why it's invalid", () => {
    expect(problem('(')).toMatch(/^Invalid expression: .*Unterminated group/)
    expect(problem('a**')).toMatch(/^Invalid expression: .*Nothing to repeat/)
    expect(problem('a(?=b)')).toBe('Lookahead, (?=…) and (?!…), isn’t supported')
    expect(problem('a(?!b)')).toBe('Lookahead, (?=…) and (?!…), isn’t supported')
    const back = 'Backreferences such as \\1 aren’t supported. Use $1 in the replacement'
    expect(problem('(a)\\1')).toBe(back)
    expect(problem('(?<q>a)\\k<q>')).toBe(back)
    expect(problem('(?<=(a))b')).toBe('Use non-capturing groups, (?:…), in a lookbehind')
    expect(problem('a{1001}')).toBe('Use at most 1,000 repetitions in total')
    expect(problem('((a{100}){100}){100}')).toBe('Use at most 1,000 repetitions in total')
    expect(problem('\\p{Letter}')).toMatch(/^Unsupported expression: /)
    expect(problem('[(?=]\\\\1')).toBeUndefined()
  })
})
