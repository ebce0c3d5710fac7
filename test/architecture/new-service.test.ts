import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const forecast = {
  service: 'weather',
  version: 'v1',
  basePath: '/weather/v1',
  commonParams: { fields: { type: 'string' } },
  methods: [
    {
      id: 'weather.forecasts.list',
      httpMethod: 'GET',
      path: '/weather/v1/places/{place}/forecasts',
      pathParams: { place: { type: 'string' } },
      queryParams: { days: { type: 'integer', min: 1, max: 14, required: true }, pageToken: { type: 'string' } },
      response: 'ForecastList',
      items: 'items',
      paged: true,
      scopes: ['weather'],
      inSeed: true,
    },
  ],
  schemas: {
    Forecast: {
      fields: { date: { type: 'string', format: 'date' }, sky: { type: 'string', enum: ['CLEAR', 'RAIN'] } },
    },
    ForecastList: {
      fields: { items: { type: 'array', of: { ref: 'Forecast' } }, nextPageToken: { type: 'string' } },
    },
  },
}

/** Calls the new service through the client, with types from its table, against a server with two pages. */
const program = `
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { validate } from '#shared/wire/validate'
import { tableOf } from '#shared/wire/services'
import { createClient } from './src-main/services/client'

const server = createServer((request, response) => {
  const second = request.url!.includes('pageToken=more')
  const items = [{ date: second ? '2026-05-02' : '2026-05-01', sky: 'CLEAR' }]
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(second ? { items } : { items, nextPageToken: 'more' }))
})
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
const baseUrl = 'http://127.0.0.1:' + (server.address() as AddressInfo).port
const client = createClient({ baseUrl: () => baseUrl, token: () => 'token', fetch, now: () => 0 })
const dates: (string | undefined)[] = []
for await (const { body } of client.pages('weather.forecasts.list', { place: 'Berlin', days: 2 })) {
  const wrong = validate(tableOf('weather'), 'ForecastList', body, { kind: 'response' })
  if (wrong.length > 0) throw new Error(JSON.stringify(wrong))
  for (const { date, sky } of body.items ?? []) if (sky === 'CLEAR') dates.push(date)
}
const refused = await client.call('weather.forecasts.list', { place: '', days: 2 }).catch((error: Error) => error.message)
console.log(JSON.stringify({ dates, refused }))
server.close()
`

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'flightplan-new-service-'))
  for (const part of ['src-shared', 'src-main/http', 'src-main/services', 'package.json', 'tsconfig.base.json'])
    cpSync(join(root, part), join(folder, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  mkdirSync(join(folder, 'src-shared/wire/weather'))
  writeFileSync(join(folder, 'src-shared/wire/weather/v1.json'), JSON.stringify(forecast))
  writeFileSync(join(folder, 'run.ts'), program)
  const compilerOptions = { types: ['node'], lib: ['ES2022', 'DOM', 'DOM.Iterable'] }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: './tsconfig.base.json', compilerOptions, files: ['run.ts'] }),
  )
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function run(...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
    timeout: 100_000,
  })
  return { status, output: `${stdout}${stderr}` }
}

it(
  'a new service needs only a folder with its table for types, client, paging, and validation',
  { timeout: 60_000 },
  () => {
    const generated = run(join(root, 'scripts/generate-wire-types.mjs'), join(folder, 'src-shared/wire'))
    expect(generated).toEqual({ status: 0, output: '' })
    expect(run('node_modules/@typescript/native/bin/tsc', '--noEmit', '-p', 'tsconfig.json')).toEqual({
      status: 0,
      output: '',
    })
    const { output } = run('--import', 'tsx', 'run.ts')
    expect(JSON.parse(output)).toEqual({
      dates: ['2026-05-01', '2026-05-02'],
      refused: 'weather.forecasts.list needs place',
    })
  },
)
