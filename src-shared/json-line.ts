const token =
  /[ \t\n\r]*(?:([{}[\]:,])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-]))/y

type Expected = 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'colon' | 'next'

/** Number of the line, from 1, at which a text stops being JSON. Errors of `JSON.parse` don't always say. */
export function lineOfJsonFault(text: string): number {
  const open: string[] = []
  let expected: Expected = 'value'
  let at = 0
  for (;;) {
    token.lastIndex = at
    const [all, sign, string] = token.exec(text) ?? []
    if (all === undefined || (open.length === 0 && expected === 'next')) break
    const after = following(expected, sign, string !== undefined, open)
    if (after === undefined) break
    expected = after
    at += all.length
  }
  // A text that ends too early is wrong at its end, without the empty lines after it.
  const rest = text.slice(at)
  const place = rest.trim() === '' ? at : at + rest.length - rest.trimStart().length
  return text.slice(0, place).split('\n').length
}

/** Tokens that may follow a token. Undefined if the token isn't allowed here. */
function following(
  expected: Expected,
  sign: string | undefined,
  isText: boolean,
  open: string[],
): Expected | undefined {
  if (expected === 'colon') return sign === ':' ? 'value' : undefined
  if (expected === 'next' && sign === ',') return open.at(-1) === '{' ? 'key' : 'value'
  const ends =
    expected === 'next' || (expected === 'keyOrEnd' && sign === '}') || (expected === 'valueOrEnd' && sign === ']')
  if (ends) return sign === (open.pop() === '{' ? '}' : ']') ? 'next' : undefined
  if (expected === 'key' || expected === 'keyOrEnd') return isText ? 'colon' : undefined
  if (sign === undefined) return 'next'
  if (sign !== '{' && sign !== '[') return undefined
  open.push(sign)
  return sign === '{' ? 'keyOrEnd' : 'valueOrEnd'
}
