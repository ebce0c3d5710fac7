import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { requests, type RequestName } from '#shared/ipc/contract'
import { answering, type Handlers } from '../../../src-main/ipc/handle'
import { cases } from '../../helpers/ring'

const names = Object.keys(requests) as RequestName[]
let reached: { name: RequestName; args: unknown }[] = []
const handlers = Object.fromEntries(
  names.map((name) => [name, (args: unknown) => void reached.push({ name, args })]),
) as unknown as Handlers
const ask = answering(handlers)

const anything = fc.oneof(
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withNullPrototype: true, maxDepth: 3 }),
  fc.constantFrom<unknown>(
    '../../etc/passwd',
    '\u0000',
    'x'.repeat(100_000),
    -1,
    NaN,
    2 ** 53,
    1e308,
    [[[[]]]],
    '__proto__',
  ),
)
/** Arguments with the names that a request expects, and values of any kind. */
const argumentsOf = (name: RequestName): fc.Arbitrary<unknown> => {
  const known = Object.keys((requests[name] as { shape?: object }).shape ?? {})
  const record = fc.record(Object.fromEntries(known.map((key) => [key, anything])), { requiredKeys: [] })
  return fc.oneof(anything, record)
}

describe('a request with arguments of any kind', () => {
  it.each(names)('%s is refused with a reason, or reaches its handler as the contract says', async (name) => {
    await fc.assert(
      fc.asyncProperty(argumentsOf(name), async (args) => {
        reached = []
        const answer = await ask(name, args)
        if (answer.ok) {
          expect(reached).toHaveLength(1)
          // What the handler gets is valid on its own, and has nothing from a prototype.
          const given = reached[0]!.args as object
          expect(requests[name].safeParse(given).success).toBe(true)
          expect(Object.hasOwn(given, '__proto__')).toBe(false)
          expect([Object.prototype, null]).toContain(Object.getPrototypeOf(given))
        } else {
          expect(reached).toEqual([])
          expect(answer.fault.message).toMatch(/\S/)
        }
      }),
      { numRuns: cases(15, 1_000) },
    )
  })

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'app', 'app/info ', 'APP/INFO', 7, null, {}])(
    'the unknown request %j is refused',
    async (name) => {
      reached = []
      expect(await ask(name as string, {})).toMatchObject({ ok: false })
      expect(reached).toEqual([])
    },
  )

  it('nested 10,000 levels deep is refused or reaches its handler, and never throws', async () => {
    let deep: unknown = 1
    for (let level = 0; level < 10_000; level++) deep = { deep, list: [deep] }
    for (const name of names) {
      const known = Object.keys((requests[name] as { shape?: object }).shape ?? {})
      await expect(ask(name, Object.fromEntries(known.map((key) => [key, deep])))).resolves.toHaveProperty('ok')
    }
  })
})
