import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import { serviceNames, tableOf, versionsOf } from '#shared/wire/services'
import { validate } from '#shared/wire/validate'
import { brokenBodies, kindOf, sample } from '../../cases/broken-bodies'

const tables = serviceNames.flatMap((service) => versionsOf(service).map((version) => tableOf(service, version)))

describe('an invalid body', () => {
  it.each(tables.map((table) => [`${table.service} ${table.version}`, table] as const))(
    'of %s is rejected for it',
    (name, table) => {
      const seen = new Set<string>()
      let tried = 0
      for (const method of table.methods) {
        if (!method.request) continue
        const mode = { operation: method.id, kind: kindOf(method), params: {} }
        const valid = sample(table, { ref: method.request }, mode) as JsonObject
        const unbroken = validate(table, method.request, valid, mode).map(({ path, rule }) => `${path} ${rule}`)
        for (const { schema, rule, blamed, body } of brokenBodies(table, method, valid, seen)) {
          const found = validate(table, method.request, body, mode).filter(
            (violation) => !unbroken.includes(`${violation.path} ${violation.rule}`),
          )
          const where = `${method.id}: ${schema} ${rule} at ${blamed.join(', ')} in ${JSON.stringify(body)}`
          expect(
            found.some(({ path }) => blamed.includes(path)),
            where,
          ).toBe(true)
          tried++
        }
      }
      console.info(`${name}: ${tried} rules of its schemas broken, each once`)
      expect(tried > 0).toBe(table.methods.some((method) => method.request))
    },
  )
})
