// Collects user-visible strings from the sources: literals, templates, component text, and attributes. Collects too
// much rather than too little, because visibility can't be determined for sure.
import { readFileSync, readdirSync } from 'node:fs'
import { join, sep } from 'node:path'
import { parse } from 'svelte/compiler'
import ts from 'typescript'

/**
 * @typedef {object} Place
 * @property {string} file relative to the root, with slashes
 * @property {number} line from 1
 * @property {string} text each value that is filled in is `◌`
 */

/** Screens by the longest folder that fits, in the order in which they are listed. @type {readonly [string, readonly string[]][]} */
export const screens = [
  ['Calendar', ['src-renderer/views/calendar']],
  ['Tasks', ['src-renderer/views/tasks']],
  ['Campaigns', ['src-renderer/views/campaigns']],
  ['Reports', ['src-renderer/views/reports']],
  ['Sync', ['src-renderer/views/sync', 'src-renderer/sync', 'src-renderer/replica', 'src-renderer/behaviors']],
  ['Settings', ['src-renderer/views/settings']],
  ['App frame', ['src-renderer']],
  ['Main process', ['src-main']],
  ['Command line', ['src-main/command']],
  ['Shared', ['src-shared']],
  ['Scripts', ['scripts']],
]

/** Not user-visible: the sandbox, words of older versions, wire facts, code tables, words that users type, and these lists. */
const unread = [
  'src-main/sandbox/',
  'src-shared/former-words.ts',
  'src-shared/wire/',
  'src-shared/domain/quick-add/words/',
  'src-shared/facts/remarks/',
  'src-main/exports/zone-names.ts',
  'scripts/wording.mjs',
  'scripts/ui-strings.mjs',
]

/** @param {string} file */
export function screenOf(file) {
  const fits = screens.flatMap(([name, folders]) =>
    folders.filter((folder) => file.startsWith(`${folder}/`)).map((folder) => ({ name, length: folder.length })),
  )
  return fits.sort((a, b) => b.length - a.length)[0]?.name
}

/** @param {string} root @param {{ sandbox?: boolean }} [options] also the sandbox */
export function sourceFiles(root, { sandbox = false } = {}) {
  return ['src-shared', 'src-main', 'src-renderer', 'scripts']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .map((file) => file.split(sep).join('/'))
    .filter((file) => /(?<!\.d)\.(ts|svelte|mjs)$/.test(file))
    .filter(
      (file) => !unread.some((start) => file.startsWith(start)) || (sandbox && file.startsWith('src-main/sandbox/')),
    )
    .sort()
}

/** All user-visible strings, in the order of files and lines. @param {string} root @returns {Place[]} */
export function collectStrings(root) {
  return sourceFiles(root).flatMap((file) => stringsIn(readFileSync(join(root, file), 'utf8'), file))
}

/** Lines of README.md and docs, without their code. @param {string} root @returns {Place[]} */
export function collectProse(root) {
  const documents = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
  return ['README.md', ...documents.map((name) => `docs/${name}`)].flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
      .replace(/^```.*?^```$/gms, (code) => code.replace(/[^\n]/g, ''))
      .replace(/`[^`\n]*`/g, '◌')
    return text.split('\n').map((line, index) => ({ file, line: index + 1, text: line }))
  })
}

/** @param {string} source @param {string} file @returns {Place[]} */
export function stringsIn(source, file) {
  const lineOf = lineFinder(source)
  /** @type {Place[]} */
  const places = []
  /** @type {Collect} */
  const add = (at, text, label) => {
    const plain = text.replace(/\s+/g, ' ').trim()
    if (isRead(plain, label)) places.push({ file, line: lineOf(at), text: plain })
  }
  if (file.endsWith('.svelte')) visitComponent(source, add)
  else visitCode(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true), 0, add)
  return places.sort((a, b) => a.line - b.line)
}

/** Lines of comments, as far as a phrase could be found in them. @param {string} source @param {string} file @returns {Place[]} */
export function commentsIn(source, file) {
  const lineOf = lineFinder(source)
  const spans = file.endsWith('.svelte') ? commentsOfComponent(source) : commentsOfCode(source, 0)
  return spans.flatMap(({ at, text }) =>
    text
      .split('\n')
      .map((line, index) => ({ file, line: lineOf(at) + index, text: line.replace(/^[\s/*<!-]+|[\s/*>-]+$/g, '') })),
  )
}

/**
 * @callback Collect
 * @param {number} at an offset in the source
 * @param {string} text
 * @param {boolean} label true where only text for people is
 * @returns {void}
 */

// ---- Code

const comparisons = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.InKeyword,
])
/** Calls whose literals aren't user-visible. */
const technicalCalls =
  /(^|\.)(addEventListener|removeEventListener|querySelector|querySelectorAll|closest|matches|getAttribute|setAttribute|hasAttribute|removeAttribute|createElement|createElementNS|invoke|on|once|off|emit|dispatchEvent|startsWith|endsWith|includes|indexOf|lastIndexOf|split|has|get|getItem|setItem|removeItem|RegExp|Intl\.\w+|toFormat|fromFormat|stores|where|orderBy|exec|prepare|matchMedia|require|URL|Event|CustomEvent|register|transaction|table|test|getPropertyValue|appendSwitch|setHeader|encode|spawnSync|spawn|execFileSync|padStart|padEnd|join|localeCompare)$/
/** Properties whose literals are user-visible, even single words. */
const labels =
  /^(label|labels|title|titles|text|texts|message|detail|hint|reason|placeholder|heading|group|description|body|prefix|suffix|one|other|singular|plural|unit|caption|empty|tooltip|aria-?\w+|ok|cancel|action|verb|noun)$/i
const technicalProperties =
  /^(class|id|key|keys|kind|type|href|src|icon|collection|service|operation|channel|role|accelerator|pattern|path|locale|timeZone|font|fill|stroke|transform|d|flag|command|script|accept|mime|contentType|stdio|cwd|env)$/
/** Calls that put a word into a sentence. */
const wordCalls = /(^|\.)(counted|plural|pluralOf|announce|toast|say|sentence|listed)$/i

/**
 * @param {ts.Node} top
 * @param {number} offset of the code in its file
 * @param {Collect} add
 * @param {boolean} [label] true where only text for people is
 */
function visitCode(top, offset, add, label = false) {
  /** @param {ts.Node} node @param {boolean} label */
  const visit = (node, label) => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
    if (ts.isCaseClause(node)) return node.statements.forEach((one) => visit(one, false))
    if (ts.isElementAccessExpression(node)) return visit(node.expression, false)
    if (ts.isBinaryExpression(node) && comparisons.has(node.operatorToken.kind))
      return [node.left, node.right]
        .filter((side) => !ts.isStringLiteralLike(side))
        .forEach((side) => visit(side, false))
    if (ts.isPropertyAssignment(node)) {
      const name = node.name.getText().replace(/['"]/g, '')
      if (technicalProperties.test(name) || isKeywords(node, name)) return visitFunctions(node.initializer)
      if (ts.isStringLiteralLike(node.name)) add(offset + node.name.getStart(), node.name.text, false)
      return visit(node.initializer, labels.test(name))
    }
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const callee = node.expression.getText()
      visit(node.expression, false)
      if (node.expression.kind === ts.SyntaxKind.ImportKeyword) return
      for (const argument of node.arguments ?? [])
        if (!technicalCalls.test(callee)) visit(argument, wordCalls.test(callee))
        else if (!isJoined(argument)) visit(argument, false)
      return
    }
    if (ts.isTaggedTemplateExpression(node)) return
    if (isJoined(node)) {
      add(offset + node.getStart(), joined(node), label)
      return valuesOf(node).forEach((value) => visit(value, false))
    }
    const inherits =
      ts.isConditionalExpression(node) || ts.isParenthesizedExpression(node) || ts.isArrayLiteralExpression(node)
    ts.forEachChild(node, (child) =>
      visit(child, label && (inherits || ts.isArrowFunction(node) || ts.isBinaryExpression(node))),
    )
  }
  /** Technical calls may contain functions with user-visible strings. @param {ts.Node} node */
  const visitFunctions = (node) => {
    if (ts.isFunctionLike(node)) ts.forEachChild(node, (child) => visit(child, false))
    else ts.forEachChild(node, visitFunctions)
  }
  visit(top, label)
}

/** True for the search words of a command, which no one reads. @param {ts.PropertyAssignment} node @param {string} name */
const isKeywords = (node, name) =>
  name === 'words' &&
  ts.isObjectLiteralExpression(node.parent) &&
  node.parent.properties.some((one) => one.name?.getText() === 'id') &&
  node.parent.properties.some((one) => one.name?.getText() === 'title')

/** @param {ts.Node} node */
const isPlus = (node) => ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken
/** True for a literal, a template, and a sum of such. @param {ts.Node} node @returns {boolean} */
function isJoined(node) {
  if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) return true
  return isPlus(node) && (isJoined(node.left) || isJoined(node.right))
}

/** @param {ts.Node} node @returns {string} */
function joined(node) {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map((span) => `◌${span.literal.text}`).join('')
  return isPlus(node) && isJoined(node) ? joined(node.left) + joined(node.right) : '◌'
}

/** Values of placeholders. @param {ts.Node} node @returns {ts.Node[]} */
function valuesOf(node) {
  if (ts.isStringLiteralLike(node)) return []
  if (ts.isTemplateExpression(node)) return node.templateSpans.map((span) => span.expression)
  return isPlus(node) && isJoined(node) ? [...valuesOf(node.left), ...valuesOf(node.right)] : [node]
}

// ---- Components

const readAttributes = /^(aria-(label|description|roledescription|valuetext|placeholder)|title|placeholder|alt|label)$/
const unreadAttributes = /^(class|style|id|key|role|type|href|src|slot|data-.*|for|d|fill|stroke|transform)$/

/** @param {string} source @param {Collect} add */
function visitComponent(source, add) {
  const { instance, module, fragment } = parse(source, { modern: true })
  for (const script of [module, instance])
    if (script) visitSlice(source, script.content.start, script.content.end, '', add, false)

  /** @param {any} node @param {boolean} label */
  const visit = (node, label) => {
    if (node === null || typeof node !== 'object') return
    if (Array.isArray(node)) return node.forEach((one) => visit(one, label))
    if (node.type === 'Fragment') {
      runs(node.nodes).forEach((run) => add(run[0].start, textOf(run), true))
      return node.nodes.forEach((one) => visit(one, true))
    }
    if (node.type === 'Attribute') return visitAttribute(node)
    if (node.type === 'StyleSheet' || node.type === 'Comment') return
    if (node.attributes) node.attributes.forEach((one) => visitAttribute(one, isElement(node)))
    for (const [key, value] of Object.entries(node)) {
      if (key === 'attributes' || key === 'metadata' || value === null || typeof value !== 'object') continue
      if (isSvelte(value) || Array.isArray(value)) visit(value, label)
      else if (typeof value.type === 'string' && typeof value.start === 'number' && key !== 'parameters')
        visitSlice(source, value.start, value.end, value.type, add, node.type === 'ExpressionTag' && label)
    }
  }
  /** @param {any} node @param {boolean} element */
  const visitAttribute = (node, element = false) => {
    if (node.type !== 'Attribute')
      return visit(node.expression ? { type: 'ExpressionTag', expression: node.expression } : null, false)
    const read = readAttributes.test(node.name)
    if (node.value === true || unreadAttributes.test(node.name)) return
    const parts = Array.isArray(node.value) ? node.value : [node.value]
    const handler = /^on[a-z]/.test(node.name)
    if (element && !read && !handler) return
    if (parts.some((part) => part.type === 'Text')) add(node.start, textOf(parts), read)
    for (const part of parts) if (part.type === 'ExpressionTag') visit(part, read)
  }
  visit(fragment, false)
}

/** @param {any} node */
const isElement = (node) => node.type === 'RegularElement' || node.type.startsWith('Svelte')
/** @param {any} value */
const isSvelte = (value) =>
  typeof value.type === 'string' &&
  /^(Fragment|Text|.*(Tag|Block|Element|Component)|Attribute|.*Directive|TitleElement)$/.test(value.type)

/** Text and the values in it, up to the next element. @param {any[]} nodes */
function runs(nodes) {
  /** @type {any[][]} */
  const found = [[]]
  for (const node of nodes) {
    if (node.type === 'Text' || node.type === 'ExpressionTag') found.at(-1).push(node)
    else if (node.type !== 'Comment') found.push([])
  }
  return found.filter((run) => run.some((node) => node.type === 'Text'))
}
/** @param {any[]} run */
const textOf = (run) => run.map((node) => (node.type === 'Text' ? node.data : '◌')).join('')

/** @param {string} source @param {number} start @param {number} end @param {string} type @param {Collect} add @param {boolean} label */
function visitSlice(source, start, end, type, add, label) {
  const bare = type === '' || /(Declaration|Statement|Declarator)$/.test(type)
  const text = source.slice(start, end)
  const [before, after] = bare ? ['', ''] : ['(', '\n)']
  const file = ts.createSourceFile('slice.ts', before + text + after, ts.ScriptTarget.Latest, true)
  const [statement] = file.statements
  const top = !bare && statement && ts.isExpressionStatement(statement) ? statement.expression : file
  visitCode(top, start - before.length, add, label)
}

// ---- Text

/** Text that no one reads, as it looks. */
const technical = [
  '^https?:|^file:|^node:|^data:|^mailto:|^\\.{0,2}/|^#|^--?[a-z]|^@',
  '^◌?<|^\\w+="|^[A-Z][A-Za-z]+/[A-Z][\\w/+-]+$|^default-src|^[\\w-]+-src ', // markup, time zones, and policies
  '^(SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA|DROP|BEGIN|COMMIT|ALTER|WITH)\\b',
  '^[A-Z0-9_◌]+$', // constants
  '^[A-Z]?[a-z]+([A-Z][a-z]*)+$', // names in code
  '^(Content|Accept|If|Retry|User|Cache|X|Last|Www|Set|Access|Transfer)-[\\w-]+$|^(Authorization|Bearer ?◌?|Location|Date|Range|Host|Origin|Connection|Vary|Allow)$', // headers
  '^(application|text|image|multipart|font|audio|video)/',
  '^(Enter|Escape|Tab|Backspace|Arrow\\w+|Page(Up|Down)|Shift|Control|Meta|Alt|Space|Mod\\+.*|CommandOrControl.*)$', // keys
  '^[.#\\[:][\\w-]|\\[[a-z-]+(=|\\])|^(var|calc|translate|rotate|scale|rgba?|hsl|color-mix|min|max|clamp)\\(|^\\(prefers-|^[\\d.◌-]+(px|rem|em|%|fr|ch)( |$)', // CSS
  '^(M ?[\\d◌-]|[\\d.◌, -]+$)', // paths of SVG
  "^(yyyy|yy|LLL|LL|d|dd|ccc|HH|h|EEE|cccc)([ :./,’'T-]+(yyyy|yy|LLLL?|LL|d|dd|ccc|HH|mm|ss|cccc|a|h))*$", // formats of dates
  '^[a-z][\\w.◌/:-]*$', // a lower-case word, or a path
  '^(BEGIN|END|VERSION|PRODID|CALSCALE|METHOD|UID|DTSTAMP|RRULE|FREQ|EXDATE|RDATE|TZID)[:;=]',
]
const isTechnical = new RegExp(technical.join('|'))

/** @param {string} text @param {boolean} label */
function isRead(text, label) {
  if (!/\p{L}/u.test(text)) return false
  if (label) return !/^(https?:|[a-z-]+[:/_=][\w:/_=-]*$)/.test(text)
  if (isTechnical.test(text)) return false
  return /^[“‘(]?\p{Lu}\p{Ll}/u.test(text) || /\p{L}.*\s|\s.*\p{L}/u.test(text)
}

// ---- Comments

/** @param {string} source @param {number} offset */
function commentsOfCode(source, offset) {
  const file = ts.createSourceFile('code.ts', source, ts.ScriptTarget.Latest, true)
  /** @type {Map<number, { at: number, text: string }>} */
  const found = new Map()
  /** @param {ts.Node} node */
  const visit = (node) => {
    const ranges = [
      ...(ts.getLeadingCommentRanges(source, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(source, node.getEnd()) ?? []),
    ]
    if (node.kind !== ts.SyntaxKind.JSDoc)
      for (const { pos, end } of ranges) found.set(pos, { at: offset + pos, text: source.slice(pos, end) })
    node.getChildren(file).forEach(visit)
  }
  visit(file)
  return [...found.values()]
}

/** @param {string} source */
function commentsOfComponent(source) {
  const { instance, module } = parse(source, { modern: true })
  const inScripts = [module, instance].flatMap((script) =>
    script ? commentsOfCode(source.slice(script.content.start, script.content.end), script.content.start) : [],
  )
  const inMarkup = [...source.matchAll(/<!--[\s\S]*?-->/g)].map((match) => ({ at: match.index, text: match[0] }))
  return [...inScripts, ...inMarkup]
}

/** @param {string} source */
function lineFinder(source) {
  const starts = [0]
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1)
  /** @param {number} at */
  return (at) => {
    let [low, high] = [0, starts.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (starts[middle] <= at) low = middle
      else high = middle - 1
    }
    return low + 1
  }
}
