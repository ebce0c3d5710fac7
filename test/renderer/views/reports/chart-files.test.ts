import fc from 'fast-check'
import { SaxesParser } from 'saxes'
import { describe, expect, it } from 'vitest'
import { checkedPng } from '../../../../src-main/exports/picture'
import { checkedSvg, drawn } from '../../../../src-main/exports/svg'
import { draw } from '../../../../src-renderer/views/reports/chart/draw'
import { roughWidth } from '../../../../src-renderer/views/reports/chart/drawing'
import type { ChartForm } from '../../../../src-renderer/views/reports/chart/form'
import { pictureOf, type Palette } from '../../../../src-renderer/views/reports/chart/picture'
import { drawable } from '../../../../src-renderer/views/reports/chart/series'
import { svgText } from '../../../../src-renderer/views/reports/chart/svg-file'
import { chartSamples, chartDataOf } from '../../../helpers/chart-data'

const palette: Palette = {
  surface: '#ffffff',
  text: '#111111',
  textSoft: '#222222',
  textFaint: '#333333',
  line: '#444444',
  axis: '#555555',
  rest: '#666666',
  accent: '#777777',
  warning: '#888888',
  series: ['#000001', '#000002', '#000003', '#000004', '#000005', '#000006'],
}
const svgOf = (source: Parameters<typeof drawable>[0], form: ChartForm, title = 'Title', desc = 'Words'): string => {
  const drawing = draw(drawable(source), form, { width: 600, height: 240, textWidth: roughWidth })!
  return svgText(pictureOf(drawing, title, roughWidth), { title, desc }, palette)
}

/** A document's element names and attributes. Throws if it's invalid. */
function elementsOf(text: string): { name: string; attributes: Record<string, string>; text: string }[] {
  const all: ReturnType<typeof elementsOf> = []
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on(
    'opentag',
    ({ name, attributes }) => void all.push({ name, attributes: attributes as Record<string, string>, text: '' }),
  )
  parser.on('text', (part) => {
    if (all.length > 0) all.at(-1)!.text += part
  })
  parser.write(text).close()
  return all
}

describe('a chart as SVG', () => {
  const shown = Object.entries(chartSamples).filter(([name]) => name !== 'Nothing')
  it.each(shown)('%s is self-contained: named, with colors as attributes', (_name, { source, form }) => {
    const text = svgOf(source, form as ChartForm)
    const all = elementsOf(text)
    expect(all[0]!.attributes['aria-labelledby']).toBe('title')
    expect(all.filter(({ name }) => name === 'title' || name === 'desc').map((one) => one.text.trim())).toEqual([
      'Title',
      'Words',
    ])
    expect(text).not.toMatch(/var\(|class=|style=|NaN|undefined/)
    expect(checkedSvg(text)).toBe(text)
  })
  it('escapes text that you typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (typed) => {
        const text = svgOf(chartDataOf('text', [typed, 'Site B'], [['Clicks', 'Clicks', [5, 3]]]), 'bar', typed, typed)
        expect(elementsOf(text)[0]!.name).toBe('svg')
        expect(checkedSvg(text)).toBe(text)
      }),
      { numRuns: 60 },
    )
    const text = svgOf(
      chartDataOf('text', ['<script>alert(1)</script>', 'B'], [['Clicks', 'Clicks', [5, 3]]]),
      'bar',
      '<a href="x">',
    )
    expect(elementsOf(text).some(({ name }) => name === 'script' || name === 'a')).toBe(false)
    expect(
      elementsOf(text)
        .find(({ name }) => name === 'title')!
        .text.trim(),
    ).toBe('<a href="x">')
  })
})

describe('an image from the window', () => {
  const good = '<svg xmlns="http://www.w3.org/2000/svg"><text>onclick=1 href="x"</text></svg>\n'
  it('is accepted if it has only shapes and texts', () => {
    expect(checkedSvg(good)).toBe(good)
  })
  it.each([
    'hello',
    '<svg xmlns="http://www.w3.org/2000/svg"><text>cut',
    '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>',
    '<svg xmlns="http://www.w3.org/2000/svg" onload="1"></svg>',
    '<svg xmlns="http://www.w3.org/2000/svg"><image href="http://a.example/"/></svg>',
    '<svg xmlns="http://www.w3.org/2000/svg"><a xlink:href="javascript:1">x</a></svg>',
    '<svg xmlns="http://www.w3.org/2000/svg"><!DOCTYPE x></svg>',
    '<svg xmlns="http://www.w3.org/2000/svg"><foreignObject/></svg>',
    '<svg xmlns="http://www.w3.org/2000/svg" id=">" onload="1"></svg>',
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:s="http://www.w3.org/2000/svg"><s:script>1</s:script></svg>',
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:s="http://www.w3.org/2000/svg"><s:rect/></svg>',
    '<svg xmlns="http://www.w3.org/2000/svg"><rect fill="url(http://a.example/)"/></svg>',
    '<svg xmlns="http://www.w3.org/2000/svg"><rect fill="u&#x72;l(//a.example/#x)"/></svg>',
    '<svg xmlns="http://www.w3.org/2000/svg"><rect fill="\\75rl(//a.example/#x)"/></svg>',
    '<svg xmlns="http://www.w3.org/2000/svg"><rect fill="url(a.svg#x)"/></svg>',
    '<svg xmlns="http://www.w3.org/1999/xhtml"><text/></svg>',
    '<svg xmlns="http://www.w3.org/2000/svg"><text xmlns="http://www.w3.org/1999/xhtml"/></svg>',
    '<svg xmlns="http://www.w3.org/2000/svg"><text/></svg><svg xmlns="http://www.w3.org/2000/svg"/>',
    '<svg xmlns="http://www.w3.org/2000/svg"><?x y?></svg>',
    '<svg xmlns="http://www.w3.org/2000/svg"><constructor/></svg>',
  ])('is rejected otherwise: %s', (text) => {
    expect(() => checkedSvg(text)).toThrow(/No file was written/)
  })
  it('allows only the elements and attributes that charts use', () => {
    const elements = [
      ...Object.keys(drawn),
      'script',
      'style',
      'a',
      'use',
      'image',
      'set',
      'animate',
      'foreignObject',
      'filter',
    ]
    const attributes = [
      ...new Set(
        Object.values(drawn)
          .flat()
          .filter((name) => name !== 'xmlns'),
      ),
      ...[
        'onload',
        'onclick',
        'href',
        'xlink:href',
        'style',
        'class',
        'src',
        'filter',
        'clip-path',
        'mask',
        'xml:base',
      ],
    ]
    const taken = (element: string, attribute = ''): boolean => {
      try {
        checkedSvg(
          `<svg xmlns="http://www.w3.org/2000/svg" width="1"><${element} ${attribute && `${attribute}="1"`}/></svg>`,
        )
        return true
      } catch {
        return false
      }
    }
    for (const element of elements) {
      expect([element, taken(element)]).toEqual([element, element in drawn])
      for (const one of attributes)
        expect([element, one, taken(element, one)]).toEqual([element, one, drawn[element]?.includes(one) === true])
    }
  })
  it('must be a complete PNG', () => {
    const png = Uint8Array.of(
      0x89,
      0x50,
      0x4e,
      0x47,
      0x0d,
      0x0a,
      0x1a,
      0x0a,
      0,
      0x49,
      0x45,
      0x4e,
      0x44,
      0xae,
      0x42,
      0x60,
      0x82,
    )
    expect(checkedPng(png)).toBe(png)
    expect(() => checkedPng(png.subarray(0, 12))).toThrow(/No file was written/)
    expect(() => checkedPng(new TextEncoder().encode(good))).toThrow(/No file was written/)
    expect(() => checkedPng(new Uint8Array(0))).toThrow(/No file was written/)
  })
})
