import { describe, expect, it } from 'vitest'
import { importsOf, sourcesIn } from '../../scripts/sources.mjs'

/** Files and packages that a file needs at run time, immediately or later. */
function reachedFrom(start: string): ReadonlySet<string> {
  const reached = new Set<string>()
  const follow = (path: string): void => {
    if (reached.has(path)) return
    reached.add(path)
    for (const to of importsOf(path, { types: false })) {
      const file = files.find((one) => one === `${to}.ts`)
      if (file) follow(file)
      else reached.add(to)
    }
  }
  follow(start)
  return reached
}

const files = ['src-shared', 'src-main', 'src-renderer'].flatMap(sourcesIn)
const edges = files.flatMap((from) => importsOf(from).map((to) => ({ from, to })))

/** The folders of main and what else of main each may import. `shared` limits imports from src-shared. */
const mainRooms: Record<string, { main: string[]; shared?: string[] }> = {
  http: { main: [] },
  disk: { main: ['exports'] },
  journal: { main: ['disk'] },
  exports: { main: ['ipc', 'processes'] },
  services: { main: ['http'] },
  sync: { main: ['services'] },
  actions: { main: ['services', 'sync'] },
  watch: { main: ['services'] },
  accounts: { main: ['auth', 'disk', 'http', 'services'] },
  'report-data': { main: [] },
  tables: { main: ['exports', 'report-data', 'ipc'] },
  processes: { main: [] },
  reports: { main: ['services', 'exports', 'report-data', 'disk', 'ipc', 'processes'] },
  reminders: { main: ['disk'] },
  updates: { main: ['disk', 'http'] },
  subscriptions: { main: ['disk', 'exports', 'http'] },
  diagnostics: { main: ['disk', 'ipc'] },
  command: { main: ['accounts', 'disk', 'exports', 'report-data', 'reports', 'services', 'tables'] },
  sandbox: { main: ['processes'], shared: ['wire', 'facts', 'time', 'json', 'domain/quick-add'] },
  auth: { main: ['http', 'disk'] },
  ipc: { main: [] },
  app: {
    main: [
      'actions',
      'http',
      'services',
      'sync',
      'journal',
      'exports',
      'ipc',
      'accounts',
      'auth',
      'command',
      'watch',
      'reports',
      'reminders',
      'diagnostics',
      'updates',
      'subscriptions',
      'tables',
      'disk',
    ],
  },
}

/** The renderer's folders and what else of the renderer each may import. */
const rendererRooms: Record<string, string[]> = {
  replica: ['bridge', 'clock'],
  behaviors: ['replica'],
  sync: ['bridge', 'clock', 'replica', 'behaviors'],
  ui: [],
  context: ['bridge', 'clock', 'replica', 'ui'],
  app: ['bridge', 'clock', 'context', 'replica', 'sync', 'ui', 'views'],
  views: ['replica', 'bridge', 'clock', 'ui', 'context'],
}

const roomOf = (path: string): string => path.split('/')[1]!.replace(/\.(ts|svelte)$/, '')
const broken = (allowed: (edge: { from: string; to: string }) => boolean): string[] =>
  edges.filter((edge) => !allowed(edge)).map(({ from, to }) => `${from} imports ${to}`)

describe('imports', () => {
  it('are found in a plausible number of files', () => {
    expect(files.length).toBeGreaterThan(50)
    expect(edges.length).toBeGreaterThan(100)
  })

  it('of src-shared stay inside it and packages, without Node', () => {
    expect(
      broken(
        ({ from, to }) =>
          !from.startsWith('src-shared/') ||
          (!/^src-(main|renderer)\//.test(to) && !to.startsWith('node:') && to !== 'electron'),
      ),
    ).toEqual([])
  })

  it('never connect main and renderer', () => {
    expect(
      broken(
        ({ from, to }) =>
          !(from.startsWith('src-main/') && to.startsWith('src-renderer/')) &&
          !(from.startsWith('src-renderer/') && to.startsWith('src-main/')),
      ),
    ).toEqual([])
  })

  it('of the renderer exclude Node and Electron', () => {
    expect(
      broken(({ from, to }) => !from.startsWith('src-renderer/') || (!to.startsWith('node:') && to !== 'electron')),
    ).toEqual([])
  })

  it('behind the window exclude Electron', () => {
    const reached = reachedFrom('src-main/app/backend.ts')
    expect(reached.size).toBeGreaterThan(100)
    expect(reached.has('electron')).toBe(false)
  })

  it("of the window's process parse no archive or XML", () => {
    const reached = reachedFrom('src-main/app/running.ts')
    expect(reached.has('src-main/app/backend.ts')).toBe(true)
    expect([...reached].filter((one) => /^(yauzl|saxes)\b/.test(one))).toEqual([])
  })

  it('of electron are only in main.ts, preload.ts, app, and ipc', () => {
    expect(
      broken(({ from, to }) => to !== 'electron' || /^src-main\/(main\.ts|preload\.ts|app\/|ipc\/)/.test(from)),
    ).toEqual([])
  })

  it("between main's folders follow the table", () => {
    expect(
      broken(({ from, to }) => {
        if (!/^src-main\/\w+\//.test(from) || !to.startsWith('src-main/')) return true
        const room = mainRooms[roomOf(from)]
        return roomOf(from) === roomOf(to) || room?.main.includes(roomOf(to)) === true
      }),
    ).toEqual([])
  })

  it('of the sandbox take only facts, times, and plain data from src-shared', () => {
    const { shared } = mainRooms['sandbox']!
    expect(
      broken(
        ({ from, to }) =>
          !from.startsWith('src-main/sandbox/') ||
          !to.startsWith('src-shared/') ||
          shared!.some((room) => to.startsWith(`src-shared/${room}`)),
      ),
    ).toEqual([])
  })

  it("between the renderer's folders follow the table, and views never import each other", () => {
    expect(
      broken(({ from, to }) => {
        if (!/^src-renderer\/\w+\//.test(from) || !to.startsWith('src-renderer/')) return true
        if (from.startsWith('src-renderer/views/') && to.startsWith('src-renderer/views/'))
          return from.split('/')[2] === to.split('/')[2]
        return roomOf(from) === roomOf(to) || rendererRooms[roomOf(from)]?.includes(roomOf(to)) === true
      }),
    ).toEqual([])
  })

  it('have every folder in the table', () => {
    const known = new Set([...Object.keys(mainRooms), ...Object.keys(rendererRooms)])
    const rooms = files.filter((path) => /^src-(main|renderer)\/\w+\//.test(path)).map(roomOf)
    expect([...new Set(rooms)].filter((room) => !known.has(room))).toEqual([])
  })

  it('have no cycles', () => {
    expect(circlesIn(importsBetweenFiles({ types: false }))).toEqual([])
  })

  it('have no cycles of types, except for a few known ones', () => {
    const known = (circle: readonly string[]): boolean =>
      knownTypeCircles.some((files) => circle.every((file) => files.includes(file)))
    expect(circlesIn(importsBetweenFiles({ types: true })).filter((circle) => !known(circle))).toEqual([])
  })
})

/** Files that need each other's types. Add none: move the type that both need to where one of them can import it. */
const knownTypeCircles: readonly (readonly string[])[] = [
  [
    'src-renderer/replica/collection-behavior.ts',
    'src-renderer/replica/context.ts',
    'src-renderer/replica/memory.ts',
    'src-renderer/replica/tx.ts',
  ],
  ['src-renderer/views/campaigns/waiting-edits.ts', 'src-renderer/views/campaigns/writing.ts'],
  ['src-renderer/views/campaigns/form-writes.svelte.ts', 'src-renderer/views/campaigns/typed-field.svelte.ts'],
]

function importsBetweenFiles(options: { types: boolean }): ReadonlyMap<string, readonly string[]> {
  const known = new Set(files)
  const fileOf = (path: string): string | undefined =>
    [path, `${path}.ts`, `${path}.svelte.ts`, `${path}.svelte`].find((name) => known.has(name))
  return new Map(
    files.map((from) => [
      from,
      importsOf(from, options).flatMap((to) => (fileOf(to) === from ? [] : (fileOf(to) ?? []))),
    ]),
  )
}

/** Strongly connected components (Tarjan), each sorted. */
function circlesIn(next: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = []
  const found = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const visit = (node: string): number => {
    found.set(node, found.size)
    lowest.set(node, found.get(node)!)
    open.push(node)
    for (const other of next.get(node) ?? []) {
      const low = found.has(other) ? (open.includes(other) ? found.get(other)! : Infinity) : visit(other)
      lowest.set(node, Math.min(lowest.get(node)!, low))
    }
    if (lowest.get(node) === found.get(node)) {
      const circle = open.splice(open.indexOf(node))
      if (circle.length > 1) circles.push(circle.sort())
    }
    return lowest.get(node)!
  }
  for (const node of next.keys()) if (!found.has(node)) visit(node)
  return circles
}
