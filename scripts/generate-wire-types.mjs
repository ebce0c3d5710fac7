// Writes src-shared/wire/<service>.types.ts from <service>.json: one interface per schema, and one map from
// operation id to its parameters, request and response. Run by `npm run generate`; a test fails when it is stale.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const wireFolder = join(dirname(fileURLToPath(import.meta.url)), '..', 'src-shared', 'wire')

const quoted = (values) => values.map((value) => JSON.stringify(value)).join(' | ')
const key = (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))

function typeOf(field) {
  if (field.ref) return field.ref
  if (field.type === 'array') return `Array<${typeOf(field.of)}>`
  if (field.type === 'map') return `Record<string, ${typeOf(field.of)}>`
  if (field.type === 'object')
    return field.fields ? `{ ${members(field.fields).join('; ')} }` : 'Record<string, unknown>'
  if (field.type === 'string' && field.enum)
    return field.enumOpen ? `${quoted(field.enum)} | (string & {})` : quoted(field.enum)
  if (field.type === 'string') return 'string'
  if (field.type === 'boolean') return 'boolean'
  if (field.type === 'integer' || field.type === 'number') return 'number'
  return 'unknown'
}

function members(fields) {
  return Object.entries(fields).map(([name, field]) => `${key(name)}?: ${typeOf(field)}`)
}

function parameter(name, parameter, required) {
  const type = parameter.repeated ? `ReadonlyArray<${typeOf(parameter)}>` : typeOf(parameter)
  return `${key(name)}${required ? '' : '?'}: ${type}`
}

/** The TypeScript source for one wire table. */
export function typesOf(table) {
  const lines = [
    `// Generated from ${table.service}-${table.version}.json by scripts/generate-wire-types.mjs. Do not edit.`,
    '',
  ]
  for (const [name, schema] of Object.entries(table.schemas)) {
    lines.push(`export interface ${name} {`, ...members(schema.fields).map((member) => `  ${member}`), '}', '')
  }
  lines.push('export interface Operations {')
  for (const method of table.methods) {
    const parameters = [
      ...Object.entries(method.pathParams).map(([name, p]) => parameter(name, p, true)),
      ...Object.entries(method.queryParams).map(([name, p]) => parameter(name, p, p.required === true)),
    ]
    lines.push(
      `  ${JSON.stringify(method.id)}: {`,
      `    params: { ${parameters.join('; ')} }`,
      `    request: ${method.request ?? 'undefined'}`,
      `    response: ${method.response ?? 'undefined'}`,
      '  }',
    )
  }
  lines.push('}', '')
  return lines.join('\n')
}

export const tableNames = () =>
  readdirSync(wireFolder)
    .filter((name) => /-v[\d.]+\.json$/.test(name))
    .map((name) => name.replace(/\.json$/, ''))

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const name of tableNames()) {
    const table = JSON.parse(readFileSync(join(wireFolder, `${name}.json`), 'utf8'))
    writeFileSync(join(wireFolder, `${name}.types.ts`), typesOf(table))
  }
}
