import { join } from 'node:path'

export type Weight = 'plain' | 'bold'

const files: Readonly<Record<Weight, string>> = {
  plain: 'DejaVuSansCondensed.ttf',
  bold: 'DejaVuSansCondensed-Bold.ttf',
}
/** Replaces characters that the font doesn't have. */
const replacement = '\ufffd'
const maxRemembered = 20_000

interface LoadedFont {
  font: { hasGlyphForCodePoint(code: number): boolean }
  /** Layout cache, which grows with every word. */
  layoutCache?: object
}

/** Measures and breaks text for a document, and records characters missing from its fonts. */
export class PdfText {
  readonly #doc: PDFKit.PDFDocument
  readonly #fonts: Record<Weight, LoadedFont>
  readonly #widths: Record<Weight, Map<string, number>> = { plain: new Map(), bold: new Map() }
  readonly #has: Record<Weight, Map<string, boolean>> = { plain: new Map(), bold: new Map() }
  readonly #characters = new Intl.Segmenter('en', { granularity: 'grapheme' })
  readonly missing: Set<string>

  /** `fonts`: the folder of the font files. */
  constructor(doc: PDFKit.PDFDocument, fonts: string, missing: Set<string>) {
    this.#doc = doc
    this.missing = missing
    for (const [weight, file] of Object.entries(files)) doc.registerFont(weight, join(fonts, file))
    const load = (weight: Weight): LoadedFont => (doc.font(weight) as unknown as { _font: LoadedFont })._font
    this.#fonts = { plain: load('plain'), bold: load('bold') }
  }

  /** Replaces characters that the font lacks. Returns the same text if it has all of them. */
  shown(text: string, weight: Weight): string {
    if (/^[\n -~]*$/.test(text)) return text
    let shown = ''
    for (const character of text.replace(/\r\n?|[\u2028\u2029\v\f]/g, '\n').replaceAll('\t', ' ')) {
      if (character === '\n' || this.#hasGlyph(character, weight)) shown += character
      else {
        this.missing.add(character)
        shown += replacement
      }
    }
    return shown
  }

  #hasGlyph(character: string, weight: Weight): boolean {
    const known = this.#has[weight].get(character)
    if (known !== undefined) return known
    const code = character.codePointAt(0)!
    const control = code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0xd800 && code < 0xe000)
    const has = !control && this.#fonts[weight].font.hasGlyphForCodePoint(code)
    if (this.#has[weight].size > maxRemembered) this.#has[weight].clear()
    this.#has[weight].set(character, has)
    return has
  }

  /** Width, in points. */
  width(text: string, weight: Weight, size: number): number {
    const known = this.#widths[weight]
    let width = known.get(text)
    if (width === undefined) {
      if (known.size > maxRemembered) {
        known.clear()
        this.#fonts[weight].layoutCache = Object.create(null) as object
      }
      width = this.#doc.font(weight).fontSize(1_000).widthOfString(text)
      known.set(text, width)
    }
    return (width * size) / 1_000
  }

  /** Breaks text into lines, between words or inside words longer than a line. */
  lines(shown: string, weight: Weight, size: number, width: number): string[] {
    const lines: string[] = []
    for (const paragraph of shown.split('\n')) {
      let line = ''
      let taken = 0
      const put = (part: string): void => {
        const own = this.width(part.trimEnd(), weight, size)
        if (line !== '' && taken + own > width) {
          lines.push(line)
          line = ''
          taken = 0
        }
        line += part
        taken += this.width(part, weight, size)
      }
      for (const word of paragraph.match(/[^ ]* |[^ ]+$/g) ?? []) {
        if (this.width(word.trimEnd(), weight, size) <= width) put(word)
        else for (const { segment } of this.#characters.segment(word)) put(segment)
      }
      lines.push(line)
    }
    return lines
  }
}
