import type { Collection } from '#shared/facts/collection'
import type { JsonObject } from '#shared/json'
import { validate, type Violation } from '#shared/wire/validate'
import { insideSentence } from '../../context/record-words'
import { startPassed } from './ahead'
import { headFor } from './columns'

export interface Problem {
  path: string
  words: string
}

const judged = (facts: Collection, { id: _id, ...value }: JsonObject): Violation[] =>
  validate(facts.table, facts.schema, value, {
    kind: 'insert',
    ...(facts.insert && { operation: facts.insert }),
  })

/** Fields of its own that a new record lacks; undefined where it lacks something else, or something in it would be refused. */
export function missingIn(facts: Collection, value: JsonObject): string[] | undefined {
  const found = judged(facts, value)
  return found.every(({ rule, path }) => rule === 'required' && !path.includes('.'))
    ? found.map(({ path }) => path)
    : undefined
}

/** What the service would refuse in a record as it is, as far as its tables tell. */
export function problemsOf(facts: Collection, record: JsonObject, made: boolean, now: number): Problem[] {
  if (made) return []
  const found = judged(facts, record)
  const { notMade } = facts
  const own: Problem[] =
    notMade && notMade.values.includes(String(record[notMade.field]))
      ? [
          {
            path: notMade.field,
            words: `${headFor(facts, notMade.field)}: these come by themselves and cannot be made`,
          },
        ]
      : []
  const passed = startPassed(facts, record, now)
  if (passed !== undefined)
    own.push({
      path: passed,
      words: `${headFor(facts, passed)}: this has passed, and a new ${facts.words.one} starts later`,
    })
  return [
    ...own,
    ...found.slice(0, 8).map(({ path, rule, message }): Problem => {
      const head = path === '' ? '' : headFor(facts, path.replace(/\[(\d+)\]/g, '.$1'))
      if (rule === 'required') return { path, words: `${head} is missing` }
      if (path === '') return { path, words: message }
      return { path, words: `${head}: ${insideSentence(message)}` }
    }),
  ]
}
