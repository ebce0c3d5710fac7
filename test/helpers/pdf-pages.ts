import { readFile } from 'node:fs/promises'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** The text of each page of a document, with normalized spaces. */
export async function pdfPages(path: string): Promise<string[]> {
  const paper = await getDocument({ data: new Uint8Array(await readFile(path)), verbosity: 0 }).promise
  return Promise.all(
    Array.from({ length: paper.numPages }, async (_unused, at) => {
      const { items } = await (await paper.getPage(at + 1)).getTextContent()
      return items
        .map((item) => ('str' in item ? item.str : ''))
        .join(' ')
        .replace(/\s+/g, ' ')
        .trim()
    }),
  )
}
