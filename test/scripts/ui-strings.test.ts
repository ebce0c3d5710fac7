import { describe, expect, it } from 'vitest'
import { commentsIn, screenOf, stringsIn } from '../../scripts/ui-strings.mjs'
import { banned, doubtful, hitsOf } from '../../scripts/wording.mjs'

const texts = (source: string, file = 'src-renderer/a.ts'): string[] => stringsIn(source, file).map(({ text }) => text)
const component = (source: string): string[] => texts(source, 'src-renderer/A.svelte')

describe('strings in code', () => {
  it('are literals, templates, and concatenations with placeholders', () => {
    expect(
      texts("const a = 'Nothing here'\nconst b = `${n} rows of ${m}`\nconst c = 'Saved in ' + folder + ' today'"),
    ).toEqual(['Nothing here', '◌ rows of ◌', 'Saved in ◌ today'])
  })
  it('are found inside placeholders', () => {
    expect(texts("`${n} rows${more ? ' and others' : ''}`")).toEqual(['◌ rows◌', 'and others'])
  })
  it('are single words only as labels or nouns', () => {
    expect(texts("const a = { kind: 'archived', label: 'archived' }\ncounted(2, 'draft')\nconst b = 'Draft'")).toEqual([
      'archived',
      'draft',
      'Draft',
    ])
  })
  it('exclude technical ones', () => {
    const source = `import a from './some path'
      // A comment with words
      type Way = 'Up and down'
      if (way === 'Up and down') on('Some event', run)
      switch (way) { case 'Down and up': break }
      const query = 'SELECT name FROM rows'
      const header = 'Content-Type'
      const selector = '[data-id] .row'
      element.querySelector('.row .cell')
      const command = { id: 'undo', title: 'Undo', words: 'revert back' }`
    expect(texts(source)).toEqual(['Undo'])
  })
  it('carry their file and line', () => {
    expect(stringsIn("\n\nconst a = 'Nothing here'", 'src-main/a.ts')).toEqual([
      { file: 'src-main/a.ts', line: 3, text: 'Nothing here' },
    ])
  })
})

describe('strings in components', () => {
  it('are text with values, and visible attributes', () => {
    expect(
      component(`<script lang="ts">
  const title: string = 'One title'
</script>
<p class="big wide" aria-label="Rows of {name}">{n} rows{#if open}, open{/if}</p>
<Dialog title="Delete “{name}”?" icon="trash" />
<button onclick={() => announce('Rows deleted')}>{done ? 'Undo' : 'Do'}</button>`),
    ).toEqual(['One title', 'Rows of ◌', '◌ rows', ', open', 'Delete “◌”?', 'Rows deleted', 'Undo', 'Do'])
  })
  it('are found in branches, loops, and snippets', () => {
    expect(
      component(`<script lang="ts"></script>
{#each rows as row (row.id)}{#if row.old}<b>Old row</b>{:else}<b>New row</b>{/if}{/each}
{#snippet part(name: string)}{@const end = name === '' ? 'No name' : name}<i>{end}</i>{/snippet}`),
    ).toEqual(['Old row', 'New row', 'No name'])
  })
})

describe('comments', () => {
  it('are found in code and components, with their lines', () => {
    expect(
      commentsIn('/** One.\n * Two. */\nconst a = `// none` // Three', 'a.ts').map(({ line, text }) => [line, text]),
    ).toEqual([
      [1, 'One.'],
      [2, 'Two.'],
      [3, 'Three'],
    ])
    const source = '<script lang="ts">\n  // One\n  let a = 1\n</script>\n<!-- Two -->\n{a}'
    expect(commentsIn(source, 'A.svelte').map(({ line, text }) => [line, text])).toEqual([
      [2, 'One'],
      [5, 'Two'],
    ])
  })
})

describe('screens', () => {
  it('match the longest folder', () => {
    expect(screenOf('src-renderer/views/tasks/A.svelte')).toBe('Tasks')
    expect(screenOf('src-renderer/app/A.svelte')).toBe('App frame')
    expect(screenOf('src-main/command/a.ts')).toBe('Command line')
  })
})

describe('phrases to avoid', () => {
  it('have unique names', () => {
    const names = [...banned, ...doubtful].map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })
  it('match their examples', () => {
    const found = (text: string): string[] =>
      banned.filter((phrase) => hitsOf(phrase, [{ text }]).length > 0).map(({ name }) => name)
    expect(found('Nobody is told')).toEqual(['somebody', 'told'])
    expect(found('Loading …')).toEqual(['space before …'])
    expect(found('◌ …')).toEqual(['space before …'])
    expect(found('The id cannot be read')).toEqual(['cannot', 'id'])
    expect(found('Enter an ID. Loading…')).toEqual([])
  })
})
