import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { lexer, walkTokens, type Tokens } from 'marked'
import { expect, it } from 'vitest'
import { usage } from '../../src-main/command/arguments'
import { helpPages } from '../../src-renderer/app/help/pages'
import packageJson from '../../package.json'

const root = resolve(import.meta.dirname, '../..')
const documents = [
  'README.md',
  'CHANGELOG.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  ...['src-shared', 'src-main', 'src-renderer', 'scripts', 'test'].map((folder) => `${folder}/README.md`),
]
const text = (file: string): string => readFileSync(join(root, file), 'utf8')

function targetsIn(file: string): string[] {
  const targets: string[] = []
  void walkTokens(lexer(text(file)), (token) => {
    if (token.type === 'link' || token.type === 'image') targets.push((token as Tokens.Link | Tokens.Image).href)
  })
  return targets.filter((target) => !/^https?:/.test(target))
}

it.each(documents)('%s links only to files that exist', (file) => {
  const gone = targetsIn(file).filter((target) => !existsSync(join(root, dirname(file), target.replace(/#.*/, ''))))
  expect(gone).toEqual([])
})

it.each(helpPages)('$title is the heading of its document', ({ id, title }) => {
  expect(text(`docs/${id}.md`)).toMatch(new RegExp(`^# ${title}\n`))
})

it('lists exactly the commands of package.json', () => {
  const named = new Set(
    [...text('docs/commands.md').matchAll(/`npm (?:run (?:-s )?)?([a-z:]+)/g)].map(([, name]) => name),
  )
  expect([...named].sort()).toEqual(Object.keys(packageJson.scripts).sort())
})

it("shows the report command's options as --help does", () => {
  expect(text('docs/report-command.md')).toContain(`\n${usage.trim()}\n`)
})

it('the README is short and its pictures are small', () => {
  expect(text('README.md').split(/\s+/).length).toBeLessThanOrEqual(900)
  const images = readdirSync(join(root, 'docs/images'))
  const bytes = images.reduce((sum, name) => sum + statSync(join(root, 'docs/images', name)).size, 0)
  expect(bytes).toBeLessThan(1_500_000)
})
