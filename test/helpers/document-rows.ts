import { readFile } from 'node:fs/promises'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** An element of a tagged document. */
export interface Node {
  role?: string
  type?: string
  id?: string
  children?: Node[]
}
export interface Part {
  str?: string
  type?: string
  id?: string | null
  tag?: string
}

/** The table rows of a tagged document as assistive technology finds them: headers, rows, totals. */
export async function tableRowsOf(path: string): Promise<string[][]> {
  const read = await getDocument({ data: new Uint8Array(await readFile(path)), verbosity: 0 }).promise
  const rows: string[][] = []
  for (let n = 1; n <= read.numPages; n++) {
    const page = await read.getPage(n)
    const { items } = await page.getTextContent({ includeMarkedContent: true })
    const texts = textsById(items as unknown as Part[])
    const visit = (node: Node): void => {
      if (node.role === 'TR') rows.push((node.children ?? []).map((cell) => textOf(cell, texts)))
      else node.children?.forEach(visit)
    }
    visit(((await page.getStructTree()) as Node | null) ?? {})
  }
  return rows
}

function textsById(parts: readonly Part[]): Map<string, string> {
  const texts = new Map<string, string>()
  const open: (string | undefined)[] = []
  for (const { type, id, tag, str } of parts) {
    if (type === 'beginMarkedContentProps' || type === 'beginMarkedContent') open.push(id ?? tag)
    else if (type === 'endMarkedContent') open.pop()
    else if (str !== undefined) texts.set(open.at(-1)!, (texts.get(open.at(-1)!) ?? '') + str)
  }
  return texts
}

const textOf = (node: Node, texts: ReadonlyMap<string, string>): string =>
  node.type === 'content'
    ? (texts.get(node.id!) ?? '')
    : (node.children ?? []).map((one) => textOf(one, texts)).join('')
