import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const scopes = ['notes']
const inBoard = { board: { type: 'string' } }
const ofCard = { ...inBoard, card: { type: 'string' } }
const method = (verb: string, httpMethod: string, card: boolean, more: object = {}): object => ({
  id: `notes.cards.${verb}`,
  httpMethod,
  path: `/notes/v1/boards/{board}/cards${card ? '/{card}' : ''}`,
  pathParams: card ? ofCard : inBoard,
  queryParams: {},
  scopes,
  inSeed: true,
  ...more,
})
const paged = { paged: true, queryParams: { pageToken: { type: 'string' } } }

/** An invented service with boards and cards. */
const notes = {
  service: 'notes',
  version: 'v1',
  basePath: '/notes/v1',
  commonParams: {},
  methods: [
    {
      ...method('list', 'GET', false),
      id: 'notes.boards.list',
      path: '/notes/v1/boards',
      pathParams: {},
      response: 'Boards',
      items: 'boards',
    },
    method('list', 'GET', false, { response: 'Cards', items: 'cards', ...paged }),
    method('get', 'GET', true, { response: 'Card' }),
    method('insert', 'POST', false, { request: 'Card', response: 'Card' }),
    method('patch', 'PATCH', true, { request: 'Card', response: 'Card', patchSemantics: true }),
    method('delete', 'DELETE', true),
  ],
  schemas: {
    Board: { fields: { id: { type: 'string', readOnly: true }, name: { type: 'string' } } },
    Boards: { fields: { boards: { type: 'array', of: { ref: 'Board' } } } },
    Card: {
      fields: {
        id: { type: 'string', readOnly: true },
        title: { type: 'string' },
        text: { type: 'string' },
        color: { type: 'string' },
        edits: { type: 'integer', readOnly: true },
      },
    },
    Cards: { fields: { cards: { type: 'array', of: { ref: 'Card' } }, nextPageToken: { type: 'string' } } },
  },
}

const remarks = `
import { often, type ServiceRemarks } from '../remark'

export const notesRemarks = {
  etags: false,
  send: 'soon',
  parentOf: { board: 'boards' },
  merge: { fields: {}, prose: ['text'] },
  collections: {
    boards: { pull: { when: 'root', order: 0, patience: often } },
    cards: { pull: { when: 'perParent', order: 1, patience: often }, keep: 'window' },
  },
} as const satisfies ServiceRemarks
`

/** The engine of both sides over real HTTP with the server of an invented service that has only boards and cards. */
const program = `
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { recordKey } from '#shared/domain/collections'
import { openDevice } from './test/helpers/device'

interface Card { id: string; title?: string; text?: string; color?: string; edits: number }
const cards = new Map<string, Card>([1, 2, 3].map((n) => [String(n), { id: String(n), title: 'Card ' + n, text: 'one two three', edits: 0 }]))
let made = 3
const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url!, 'http://here')
  const [, , , , board, , id] = pathname.split('/')
  let text = ''
  request.on('data', (part: Buffer) => (text += part.toString()))
  request.on('end', () => {
    const answer = (status: number, body?: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(body && JSON.stringify(body))
    }
    const patch = (text === '' ? {} : JSON.parse(text)) as Partial<Card>
    if (board === undefined) return answer(200, { boards: [{ id: 'b', name: 'Board' }] })
    if (id === undefined && request.method === 'GET') {
      const second = searchParams.get('pageToken') === 'more'
      const all = [...cards.values()]
      return answer(200, second ? { cards: all.slice(2) } : { cards: all.slice(0, 2), nextPageToken: 'more' })
    }
    if (id === undefined) {
      const card: Card = { ...patch, id: String(++made), edits: 0 }
      cards.set(card.id, card)
      return answer(200, card)
    }
    const card = cards.get(id)
    if (!card) return answer(404, { error: { code: 404, message: 'Not found', errors: [{ reason: 'notFound' }] } })
    if (request.method === 'DELETE') return cards.delete(id), answer(204)
    if (request.method === 'PATCH') cards.set(id, { ...card, ...patch, edits: card.edits + 1 })
    answer(200, cards.get(id))
  })
})
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
const baseUrl = 'http://127.0.0.1:' + (server.address() as AddressInfo).port
const device = await openDevice({
  baseUrl: () => baseUrl,
  token: () => 'token',
  account: { kind: 'service', services: { notes: baseUrl } },
})
const { replica } = device
const key = (id: string): string => recordKey('cards', 'b', id)
const edit = (id: string, patch: Partial<Card>) => replica.edit([{ kind: 'change', key: key(id), patch }], { label: 'Edit' })
const sent = () => device.until('sent', () => replica.outbox().every(({ state }) => state === 'needsYou'))
const shown = async (id: string) => (await replica.read(key(id)))?.value
const said: Record<string, unknown> = {}

await device.until('the cards', () => replica.status.lastPull !== null && replica.status.phase === 'idle')
const table = await replica.table('cards', { sort: { column: 'title', down: true } })
said.titles = Array.from({ length: table.length }, (_unused, row) => table.cell(row, table.columns.indexOf('title')))

await edit('1', { title: 'Edited' })
await sent()
said.edited = cards.get('1')
await replica.undo()
await sent()
said.undone = cards.get('1')

replica.pause(true)
await edit('2', { color: 'red', text: 'ONE two three' })
await edit('3', { title: 'Mine' })
cards.set('2', { ...cards.get('2')!, title: 'Theirs', text: 'one two THREE', edits: 7 })
cards.set('3', { ...cards.get('3')!, title: 'Theirs' })
replica.pause(false)
await sent()
said.merged = cards.get('2')
const [asked] = replica.outbox()
said.asked = [asked?.recordId, asked?.conflict?.fields, cards.get('3')!.title, (await shown('3'))!['title']]
await replica.resolve(asked!.id, { fields: { title: 'mine' } })
await sent()
said.resolved = cards.get('3')!.title

const { keys } = await replica.edit([{ kind: 'create', collection: 'cards', parent: 'b', value: { title: 'New' } }], { label: 'New' })
await sent()
said.made = [cards.get('4'), (await replica.read(keys[0]!))?.id]
await replica.edit([{ kind: 'delete', key: key('4') }], { label: 'Delete' })
await sent()
said.deleted = [cards.has('4'), await shown('4')]
said.left = replica.outbox().length
console.log(JSON.stringify(said))
await device.close()
// The channel that timers of zero go through would keep the process.
process.exit()
`

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'flightplan-new-collection-'))
  const parts = ['src-shared', 'src-main', 'src-renderer', 'test/helpers', 'package.json', 'tsconfig.base.json']
  for (const part of parts) cpSync(join(root, part), join(folder, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  mkdirSync(join(folder, 'src-shared/wire/notes'))
  writeFileSync(join(folder, 'src-shared/wire/notes/v1.json'), JSON.stringify(notes))
  writeFileSync(join(folder, 'src-shared/facts/remarks/notes.ts'), remarks)
  writeFileSync(join(folder, 'run.ts'), program)
  // A service with stored records is listed twice: in the remarks, and in the names derived from them.
  rewrite('src-shared/facts/facts.ts', [
    ['import { tasksRemarks }', "import { notesRemarks } from './remarks/notes'\nimport { tasksRemarks }"],
    ['{ calendar: calendarRemarks,', '{ notes: notesRemarks, calendar: calendarRemarks,'],
  ])
  rewrite('src-shared/facts/names.ts', [
    [
      'import type { tasksRemarks }',
      "import type { notesRemarks } from './remarks/notes'\nimport type { tasksRemarks }",
    ],
    [
      '  | keyof (typeof tasksRemarks)',
      "  | keyof (typeof notesRemarks)['collections']\n  | keyof (typeof tasksRemarks)",
    ],
  ])
  const compilerOptions = { types: ['node', 'vite/client'], lib: ['ES2022', 'DOM', 'DOM.Iterable'] }
  const config = { extends: './tsconfig.base.json', compilerOptions, files: ['run.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function rewrite(path: string, changes: readonly (readonly [string, string])[]): void {
  let text = readFileSync(join(folder, path), 'utf8')
  for (const [from, to] of changes) {
    expect(text).toContain(from)
    text = text.replace(from, () => to)
  }
  writeFileSync(join(folder, path), text)
}

function run(...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
    timeout: 280_000,
  })
  return { status, output: `${stdout}${stderr}` }
}

it(
  'a new collection needs only a table and a remark to be read, shown, edited, merged, created, and deleted',
  { timeout: 300_000 },
  () => {
    const generated = run(join(root, 'scripts/generate-wire-types.mjs'), join(folder, 'src-shared/wire'))
    expect(generated).toEqual({ status: 0, output: '' })
    expect(run('node_modules/@typescript/native/bin/tsc', '--noEmit', '-p', 'tsconfig.json')).toEqual({
      status: 0,
      output: '',
    })
    const { output } = run('--import', 'tsx', 'run.ts')
    expect(JSON.parse(output)).toEqual({
      titles: ['Card 3', 'Card 2', 'Card 1'],
      edited: { id: '1', title: 'Edited', text: 'one two three', edits: 1 },
      undone: { id: '1', title: 'Card 1', text: 'one two three', edits: 2 },
      merged: { id: '2', title: 'Theirs', color: 'red', text: 'ONE two THREE', edits: 8 },
      asked: ['3', ['title'], 'Theirs', 'Mine'],
      resolved: 'Mine',
      made: [{ id: '4', title: 'New', edits: 0 }, '4'],
      deleted: [false, null],
      left: 0,
    })
  },
)
