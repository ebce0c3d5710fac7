import { dirname, join } from 'node:path'
import { createRequire } from 'node:module'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { describe, expect, it } from 'vitest'
import type { ExportTable } from '../../../src-main/exports/export-table'
import { pdfChunks, type PdfNotes } from '../../../src-main/exports/pdf'
import type { Paper } from '../../../src-main/exports/pdf-layout'
import { column, manyColumns, rowsOf, tableOf } from '../../helpers/export-tables'
import { type Node, type Part } from '../../helpers/document-rows'

const fonts = join(dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf')
const now = Date.UTC(2026, 10, 22, 11)

interface PlacedPart extends Part {
  width: number
  transform: number[]
}

async function documentOf(table: ExportTable, paper: Paper = 'A4') {
  const notes: PdfNotes = { missing: new Set(), columnsLeftOut: 0 }
  const chunks: Uint8Array[] = []
  const counts: number[] = []
  for await (const chunk of pdfChunks(table, { notes, now, paper, fonts, onrows: (rows) => counts.push(rows) }))
    chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  const read = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise
  const pages = []
  for (let n = 1; n <= read.numPages; n++) {
    const page = await read.getPage(n)
    const { items } = await page.getTextContent({ includeMarkedContent: true })
    const parts = items as unknown as PlacedPart[]
    pages.push({ view: page.view, tree: (await page.getStructTree()) as Node | null, parts })
  }
  return { notes, counts, bytes, read, pages }
}

type Page = Awaited<ReturnType<typeof documentOf>>['pages'][number]

/** Text of each marked content by ID, and of artifacts. */
function contents({ parts }: Page): { byId: Map<string, string>; artifacts: string } {
  const byId = new Map<string, string>()
  const open: (string | undefined)[] = []
  let artifacts = ''
  for (const { type, id, tag, str } of parts) {
    if (type === 'beginMarkedContentProps' || type === 'beginMarkedContent') open.push(id ?? tag)
    else if (type === 'endMarkedContent') open.pop()
    else if (str !== undefined) {
      const at = open.at(-1)
      if (at === 'Artifact') artifacts += `${str} `
      else byId.set(at!, (byId.get(at!) ?? '') + str)
    }
  }
  return { byId, artifacts }
}

/** Roles of a page's elements with their texts. */
function said(page: Page): [role: string, text: string][] {
  const { byId } = contents(page)
  const found: [string, string][] = []
  const textOf = (node: Node): string =>
    node.type === 'content' ? (byId.get(node.id!) ?? '') : (node.children ?? []).map(textOf).join('')
  const walk = (node: Node): void => {
    if (node.role && /^(H1|P|TH|TD)$/.test(node.role)) found.push([node.role, textOf(node).trim()])
    else for (const child of node.children ?? []) walk(child)
  }
  if (page.tree) walk(page.tree)
  return found
}

describe('a PDF document', () => {
  const columns = [column('Campaign', 'text'), column('Clicks', 'count'), column('Cost', 'money', 'EUR')]
  const rows = Array.from({ length: 120 }, (_unused, row) => [`Campaign ${row}`, row - 5, `${row}.500000`])
  const table = tableOf(columns, rows, { title: 'Delivery & <cost>', total: ['---', '6540', '7200.5'] })

  it('has title, language, structure, headers, and every cell', async () => {
    const { read, pages, bytes, counts, notes } = await documentOf(table)
    const { info, metadata } = await read.getMetadata()
    expect(info).toMatchObject({ Title: 'Delivery & <cost>', Language: 'en', PDFFormatVersion: '1.7' })
    expect((metadata as { get(name: string): unknown }).get('dc:title')).toBe('Delivery & <cost>')
    expect(await read.getMarkInfo()).toMatchObject({ Marked: true })
    expect(bytes.toString('latin1')).toMatch(/\/Scope \/Column/)
    const all = pages.flatMap(said)
    expect(all.slice(0, 3)).toEqual([
      ['H1', 'Delivery & <cost>'],
      ['P', 'Days: 2026-11-01 to 2026-11-21'],
      ['P', 'Time zone: Europe/Berlin'],
    ])
    expect(all.filter(([role]) => role === 'TH').map(([, text]) => text)).toEqual([
      'Campaign',
      'Clicks',
      'Cost (EUR)',
      'Total',
    ])
    expect(all.filter(([role]) => role === 'TD').map(([, text]) => text)).toEqual([
      ...rows.flatMap((_cells, row) => [
        `Campaign ${row}`,
        row < 5 ? `\u2212${5 - row}` : String(row - 5),
        `${row}.50`,
      ]),
      ...['6,540', '7,200.50'],
    ])
    expect(pages.length).toBeGreaterThan(1)
    expect(counts.at(-1)).toBe(120)
    expect(notes).toEqual({ missing: new Set(), columnsLeftOut: 0 })
  })

  it('repeats headers, page number, title, and date on each page as artifacts', async () => {
    const { pages } = await documentOf(table)
    for (const [at, page] of pages.entries()) {
      const { artifacts } = contents(page)
      expect(artifacts).toContain(`2026-11-22 11:00 UTC   ${at + 1} of ${pages.length}`)
      expect(artifacts).toContain('Delivery & <cost>')
      expect(artifacts.includes('Clicks')).toBe(at > 0)
    }
  })

  it('aligns numbers right and text left', async () => {
    const { pages } = await documentOf(table)
    const ends = new Set<number>()
    const starts = new Set<number>()
    for (const { parts } of pages)
      for (const { str, transform, width } of parts) {
        if (/^\d+\.\d\d$/.test(str ?? '')) ends.add(Math.round(transform[4]! + width))
        if (/^Campaign \d+$/.test(str ?? '')) starts.add(Math.round(transform[4]!))
      }
    expect([ends.size, starts.size]).toEqual([1, 1])
  })

  it.each([
    ['A4', 7, [595.28, 841.89]],
    ['A4', 8, [841.89, 595.28]],
    ['Letter', 7, [612, 792]],
    ['Letter', 8, [792, 612]],
  ] as const)('on %s with %i columns is %j', async (paper, count, size) => {
    const { pages } = await documentOf(
      rowsOf(
        3,
        manyColumns(count).map(({ head }) => column(head.slice(-2), 'count')),
      ),
      paper,
    )
    expect(pages[0]!.view.slice(2).map((side) => Math.round(side))).toEqual(size.map((side) => Math.round(side)))
  })

  it('uses larger paper for many columns and omits those that never fit', async () => {
    const wide = await documentOf(rowsOf(2, manyColumns(60)))
    expect(wide.pages[0]!.view[2]).toBeGreaterThan(1_600)
    const cells = wide.pages.flatMap(said).filter(([role]) => role === 'TH')
    expect(cells).toHaveLength(60)
    const { notes, pages } = await documentOf(rowsOf(1, manyColumns(700)))
    expect(notes.columnsLeftOut).toBeGreaterThan(0)
    expect(pages.flatMap(said).filter(([role]) => role === 'TH')).toHaveLength(700 - notes.columnsLeftOut)
  })

  it('wraps long texts across pages without cutting', async () => {
    const words = Array.from({ length: 3_000 }, (_unused, n) => `word${n}`).join(' ')
    const letters = 'abcdefghij'.repeat(500)
    const texts = [words, letters, 'first\nsecond', '']
    const long = tableOf(
      [column(`Head ${'of many words '.repeat(40)}`, 'text'), column('ID', 'id'), column('Clicks', 'count')],
      texts.map((text, at) => [text, String(10n ** 18n + BigInt(at)), at]),
      { title: 'A title of many words '.repeat(200), about: [['Filter', 'one or other '.repeat(400)]] },
    )
    const { pages } = await documentOf(long)
    const plain = (text: string): string => text.replace(/\s/g, '')
    const whole = new Map<string, string>()
    for (const [role, text] of pages.flatMap(said)) whole.set(role, plain((whole.get(role) ?? '') + text))
    expect(whole.get('H1')).toBe(plain(long.title))
    expect(whole.get('P')).toBe(plain(`Filter: ${'one or other '.repeat(400)}`))
    expect(whole.get('TH')).toBe(plain(`${long.columns[0]!.head}IDClicks`))
    // A cell across pages is one to readers, and each page has a part.
    const cells = whole.get('TD')!
    for (const word of [`word0`, 'word1500', 'word2999', 'firstsecond', '1000000000000000003'])
      expect(cells).toContain(word)
    expect([...cells].filter((one) => one === 'j')).toHaveLength(500)
    for (const { parts, view } of pages)
      for (const { str, transform, width } of parts)
        if (str) expect(transform[4]! + width).toBeLessThanOrEqual(view[2]! - 30)
  })

  it('shows a box for missing glyphs, with a note', async () => {
    const odd = tableOf([column('名前', 'text')], [['a中b'], ['\u0001'], ['\ud800'], ['שלום'], ['Ä € …'], [null]])
    const { notes, pages, bytes } = await documentOf(odd)
    expect([...notes.missing].sort()).toEqual(['\u0001', '中', '前', '名', '\ud800'].sort())
    const cells = pages.flatMap(said).map(([, text]) => text)
    expect(cells).toContain('a\ufffdb')
    expect(cells).toContain('Ä € …')
    // Screen readers still get the cell's text.
    expect(bytes.includes(Buffer.from('\u4e2d', 'utf16le').swap16())).toBe(true)
  })

  it('is valid without rows, columns, or a title', async () => {
    const empty = await documentOf(tableOf([column('Name', 'text')], [], { total: ['---'] }))
    expect(empty.pages.flatMap(said).filter(([role]) => role === 'TH')).toHaveLength(2)
    expect((await documentOf(tableOf([], [], { title: ' ' }))).pages.flatMap(said)[0]).toEqual(['H1', 'Report'])
  })

  it('with 5,000 rows is written page by page and can be canceled in between', async () => {
    let taken = 0
    let rowsSeen = 0
    const big = rowsOf(5_000, manyColumns(8))
    const notes: PdfNotes = { missing: new Set(), columnsLeftOut: 0 }
    const chunks = pdfChunks(big, { notes, now, paper: 'A4', fonts, onrows: (rows) => (rowsSeen = rows) })
    for await (const chunk of chunks) {
      taken += chunk.length
      if (rowsSeen >= 1_000) break
    }
    expect(rowsSeen).toBeLessThan(2_000)
    expect(taken).toBeGreaterThan(10_000)
  })
})
