// Phrases that Flightplan's English avoids. The test for words and `npm run strings -- --count` read this list.
// `◌` in a string stands for a value that is filled in. Case is ignored unless `exact` is set.

/**
 * @typedef {object} Phrase
 * @property {string} name unique, and short enough for a table
 * @property {string} pattern a regular expression
 * @property {boolean} [exact] true if case matters
 * @property {string} instead what to write
 */

/** Never right in user-visible strings. @type {readonly Phrase[]} */
export const banned = [
  { name: 'somebody', pattern: '\\b(some|any|every|no)body\\b', instead: 'someone, anyone, everyone, no one' },
  { name: 'anew', pattern: '\\banew\\b', instead: 'again; reload, refresh, rerun' },
  { name: 'told', pattern: '\\b(told|tells?)\\b', instead: 'show, notify, say, report' },
  { name: 'go on', pattern: '\\bgo(es|ing|ne)? on\\b', instead: 'continue, resume' },
  {
    name: 'as it was',
    pattern: '\\bas (it|they) (is|are|was|were)\\b|\\bas before\\b',
    instead: 'unchanged, skipped, nothing changed',
  },
  { name: 'any more', pattern: '\\bany more\\b', instead: 'no longer' },
  { name: 'stand', pattern: '\\bstand(s|ing)?\\b', instead: 'is, appears, applies' },
  { name: 'beside', pattern: '\\bbeside\\b', instead: 'with, next to, in addition to' },
  { name: 'by itself', pattern: '\\bby (itself|themselves)\\b', instead: 'automatically, on its own' },
  { name: 'pick', pattern: '\\bpick(ed|s)?\\b', instead: 'select' },
  { name: 'take off', pattern: '\\bt(ake|akes|aken|ook|aking)\\b.{0,30}\\boff\\b', instead: 'remove, turn off' },
  { name: 'put back', pattern: '\\bput (back|right)\\b', instead: 'undo, restore, fix' },
  { name: 'for good', pattern: '\\bfor good\\b', instead: 'pin, permanently' },
  { name: 'called so', pattern: '\\bcalled so\\b', instead: 'No matches' },
  { name: 'is wanted', pattern: '\\b(is|are) wanted\\b', instead: 'Enter …, Choose …' },
  {
    name: 'narrow',
    pattern: '\\bnarrow(ed)?\\b|\\btold apart\\b|\\bgather(s|ed)?\\b',
    instead: 'filter; break down; group, appear',
  },
  { name: 'meanwhile', pattern: '\\bmeanwhile\\b', instead: 'while you were editing, since then' },
  {
    name: 'lately',
    pattern: '\\blately\\b|\\bonce more\\b|\\bjust now\\b|\\bfrom now on\\b',
    instead: 'recent, again, or leave out',
  },
  {
    name: 'is to be',
    pattern: '\\b(is|are) to be\\b|\\bha(s|ve) to be\\b',
    instead: 'must, needs to; or an imperative',
  },
  { name: 'waits to be sent', pattern: '\\bwait(s|ing)? to be sent\\b', instead: 'pending' },
  { name: 'needs you', pattern: '\\bneeds? you\\b', instead: 'needs attention' },
  { name: 'kept here', pattern: '\\bkept here\\b|\\bkeep here\\b', instead: 'downloaded, saved on this computer' },
  { name: 'figures', pattern: '\\bfigures?\\b', instead: 'results, metric, value' },
  {
    name: 'with no network',
    pattern: '\\b(with no|without a|is a|was a|for a) network\\b',
    instead: 'offline, online',
  },
  {
    name: 'trouble',
    pattern: '\\bembedded service\\b|\\btrouble\\b',
    instead: 'sandbox, simulate, problem',
  },
  { name: 'mail', pattern: '\\be-mail\\b|\\bmail(s|ed)?\\b', instead: 'email' },
  { name: 'cannot', pattern: '\\bcannot\\b', instead: 'can’t, couldn’t' },
  { name: 'space before …', pattern: '[\\w◌] …$', instead: 'no space before the ellipsis' },
  { name: 'space before %', pattern: '[\\d◌] %', instead: '30%' },
  { name: 'id', pattern: '\\bids?\\b', exact: true, instead: 'ID, IDs' },
  {
    name: 'British',
    pattern: '(colour|Colour|licence|cancelled|Cancelled|organis)',
    exact: true,
    instead: 'US spelling',
  },
]

/** Often wrong and sometimes right: counted, not banned. @type {readonly Phrase[]} */
export const doubtful = [
  {
    name: 'is not',
    pattern: '\\b(do|does|did|is|are|was|were|has|have|had|could|will|would) not\\b',
    instead: 'a contraction; the filter operator “is not” stays',
  },
  {
    name: 'is read',
    pattern:
      '\\b(is|are|was|were|be|been) (read|asked|fetched|looked|made|written|posted|taken|chosen|kept|sent|mailed|added|told|found|done|changed)\\b',
    instead: 'active voice, or a participle: “Downloading…”',
  },
  { name: 'is being', pattern: '\\b(is|are|was|were) being\\b', instead: '“Running {name}”, “Refreshing…”' },
  { name: 'kept', pattern: '\\bkept\\b', instead: 'saved, pinned, downloaded, unchanged' },
  { name: 'made', pattern: '\\bmade\\b', instead: 'created' },
  { name: 'fetch', pattern: '\\bfetch(es|ed|ing)?\\b', instead: 'download, load, sync' },
  {
    name: 'What …',
    pattern: '^(What|Who|Whose|Where|How)\\b[^?]*$',
    exact: true,
    instead: 'a noun: “Scope”, “Summary”',
  },
  {
    name: 'It needs …',
    pattern: '^(It|They|This|That) (needs?|is|are|may|has|lies|begins|ends|was|were)\\b',
    exact: true,
    instead: 'name the thing, or an imperative',
  },
  { name: 'semicolon', pattern: ';', instead: 'two sentences' },
  { name: 'colon', pattern: '[a-z”)◌]: [a-z“]', instead: 'a sentence; a colon only before a value' },
  { name: 'there is', pattern: '\\bthere (is|are)\\b', instead: 'No …, You don’t have …' },
]

/** @param {Phrase} phrase */
export const expressionOf = ({ pattern, exact = false }) => new RegExp(pattern, exact ? 'u' : 'iu')

/**
 * What a phrase is found in.
 * @template {{ text: string }} T
 * @param {Phrase} phrase
 * @param {readonly T[]} places
 * @returns {T[]}
 */
export function hitsOf(phrase, places) {
  const expression = expressionOf(phrase)
  return places.filter(({ text }) => expression.test(text))
}
