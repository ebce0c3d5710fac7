import { RE2JS } from 're2js'

/** Regular expression that runs in time linear to the text. */
export interface Expression {
  /** True if the text contains a match. */
  test(text: string): boolean
  /** Replaces matches, with `$1`, `$<name>`, `$&`, and `$$` as in JavaScript. Undefined without a match. */
  replace(text: string, by: string): string | undefined
}

const lineEnds = '\\n\\r\\x{2028}\\x{2029}'
const spaces = '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'
const noSpaces =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}' +
  '\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}'

const lookAhead = 'Lookahead, (?=…) and (?!…), isn’t supported'
const backReference = 'Backreferences such as \\1 aren’t supported. Use $1 in the replacement'

/** Problems by the engine's error message. */
const limits: readonly (readonly [RegExp, string])[] = [
  [/capture in lookbehind/, 'Use non-capturing groups, (?:…), in a lookbehind'],
  [/repeat count|too large|nests? too deep/i, 'Use at most 1,000 repetitions in total'],
]

/** Parses an expression in JavaScript syntax with the `u` flag, or returns why it's invalid, as a sentence. */
export function readExpression(source: string, matchCase: boolean): Expression | { problem: string } {
  try {
    new RegExp(source, matchCase ? 'gu' : 'giu')
  } catch (error) {
    return { problem: `Invalid expression: ${reasonOf(error, /^Invalid regular expression: /)}` }
  }
  const translated = translate(source)
  if (typeof translated !== 'string') return translated
  try {
    const flags = RE2JS.LOOKBEHINDS | (matchCase ? 0 : RE2JS.CASE_INSENSITIVE)
    const engine = RE2JS.compile(RE2JS.translateRegExp(translated), flags)
    return {
      test: (text) => engine.test(text),
      replace: (text, by) => (engine.test(text) ? engine.matcher(text).replaceAll(by) : undefined),
    }
  } catch (error) {
    const reason = reasonOf(error, /^error parsing regexp: /)
    const limit = limits.find(([pattern]) => pattern.test(reason))
    return { problem: limit?.[1] ?? `Unsupported expression: ${reason}` }
  }
}

const reasonOf = (error: unknown, head: RegExp): string =>
  error instanceof Error ? error.message.replace(head, '') : ''

/** Translates syntax that the engine reads differently. Expects a valid JavaScript source. */
function translate(source: string): string | { problem: string } {
  const signs = /\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\[pP]\{[^}]*\}|\\k|\\[^]|\(\?[=!]|[[\].]|[^]/gu
  let inClass = false
  let read = ''
  for (const [sign] of source.matchAll(signs)) {
    if (!inClass && (sign === '(?=' || sign === '(?!')) return { problem: lookAhead }
    if (!inClass && /^\\[1-9k]/.test(sign)) return { problem: backReference }
    if (sign === '[') inClass = true
    if (sign === ']') inClass = false
    if (sign === '.' && !inClass) read += `[^${lineEnds}]`
    else if (sign === '\\s') read += inClass ? spaces : `[${spaces}]`
    else if (sign === '\\S') read += inClass ? noSpaces : `[${noSpaces}]`
    else if (sign === '\\b' && inClass) read += '\\x{8}'
    else if (/^\\u.{4}\\u/.test(sign)) read += `\\x{${pairOf(sign).toString(16)}}`
    else read += sign.replace(/^(\\[pP]\{)(?:Script|sc|General_Category|gc)=/, '$1')
  }
  return read
}

const pairOf = (sign: string): number =>
  String.fromCharCode(...[sign.slice(2, 6), sign.slice(8, 12)].map((half) => parseInt(half, 16))).codePointAt(0)!
