import type { JsonObject } from '#shared/json'
import { services } from '#shared/wire/services'
import { validate } from '#shared/wire/validate'

/** Returns the reason that the service would reject a patch, or undefined if it's valid. */
export function taskProblem(schema: 'Task' | 'TaskList', patch: JsonObject): string | undefined {
  const kind = 'patch'
  const [first] = validate(services.tasks, schema, patch, { kind })
  if (!first) return undefined
  const limit = services.tasks.schemas[schema]?.fields[first.path]?.maxLength
  const given = patch[first.path]
  if (first.rule === 'maxLength' && limit !== undefined && typeof given === 'string') {
    return `Use at most ${limit.toLocaleString('en')} characters (now ${given.length.toLocaleString('en')})`
  }
  return first.message
}
