import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChartData } from '#shared/results/questions'
import { spread, valueScale } from '../../../../src-renderer/views/reports/chart/axes'
import { piled } from '../../../../src-renderer/views/reports/chart/column-chart'
import { draw } from '../../../../src-renderer/views/reports/chart/draw'
import {
  fitted,
  maxMarks,
  roughWidth,
  type Drawing,
  type TextMark,
} from '../../../../src-renderer/views/reports/chart/drawing'
import {
  axisTexts,
  briefText,
  labelBrief,
  labelWords,
  startOf,
  valueText,
} from '../../../../src-renderer/views/reports/chart/value-words'
import { chartForms, formFor, formsFor } from '../../../../src-renderer/views/reports/chart/form'
import { drawable, largest, sum } from '../../../../src-renderer/views/reports/chart/series'
import { summaryOf } from '../../../../src-renderer/views/reports/chart/summary'
import { thinned } from '../../../../src-renderer/views/reports/chart/thin'
import { besides, pointedAt, walked } from '../../../../src-renderer/views/reports/chart/walk'
import { chartSamples, daysFrom, chartDataOf } from '../../../helpers/chart-data'

const value = fc.option(
  fc.oneof(
    fc.integer({ min: -1_000_000, max: 1_000_000_000 }),
    fc.double({ min: -10, max: 1e7, noNaN: true }),
    fc.constant(0),
  ),
  { nil: null },
)
const metric = fc.constantFrom('Clicks', 'Impressions', 'Media Cost', 'Click Rate', 'Nobody Knows')
const anyData: fc.Arbitrary<ChartData> = fc
  .record({ day: fc.boolean(), places: fc.integer({ min: 0, max: 60 }), step: fc.constantFrom(1, 7, 30) })
  .chain(({ day, places, step }) =>
    fc.record({
      labels: day
        ? fc.constant(daysFrom('2025-11-20', places, step))
        : fc.array(fc.string({ maxLength: 40 }), { minLength: places, maxLength: places }),
      series: fc.array(
        fc.tuple(fc.string({ maxLength: 20 }), metric, fc.array(value, { minLength: places, maxLength: places })),
        { maxLength: 9 },
      ),
      others: fc.integer({ min: 0, max: 20 }),
      kind: fc.constant(day ? ('day' as const) : ('text' as const)),
    }),
  )
  .map(({ labels, series, others, kind }) =>
    chartDataOf(
      kind,
      labels,
      series.map(([name, metric, values]) => [`${metric}, ${name}`, metric, values]),
      { x: kind === 'text' && labels.length > 0 ? others : 0, split: 0 },
    ),
  )
const anySpace = fc.record({
  width: fc.integer({ min: 280, max: 2560 }),
  height: fc.integer({ min: 120, max: 900 }),
  textWidth: fc.constant(roughWidth),
})
const anyForm = fc.constantFrom(...chartForms)

const texts = ({ marks }: Drawing): TextMark[] => marks.filter((mark) => mark.kind === 'text')
const extent = ({ x, text, size, anchor, bold }: TextMark): { from: number; to: number } => {
  const width = roughWidth(text, size, bold)
  const from = anchor === 'start' ? x : anchor === 'end' ? x - width : x - width / 2
  return { from, to: from + width }
}
const numbersOf = (drawing: Drawing): number[] =>
  [...drawing.marks, ...drawing.points].flatMap((one) =>
    Object.values(one).flatMap((part) =>
      typeof part === 'number' ? [part] : typeof part === 'object' ? (Object.values(part) as number[]) : [],
    ),
  )

describe('any data in any form and size', () => {
  it('becomes marks with positions, a few thousand at most', () => {
    fc.assert(
      fc.property(anyData, anyForm, anySpace, (source, form, space) => {
        const drawing = draw(drawable(source, 'EUR'), form, space)
        const there = source.series.some(({ values }) => values.some((one) => one !== null))
        expect(drawing !== undefined).toBe(there)
        if (!drawing) return
        expect(numbersOf(drawing).filter((one) => !Number.isFinite(one))).toEqual([])
        expect(drawing.marks.filter((mark) => 'd' in mark && /NaN|Infinity/.test(mark.d))).toEqual([])
        expect(drawing.marks.filter((mark) => 'width' in mark && (mark.width < 0 || mark.height < 0))).toEqual([])
        expect(drawing.points.every(({ panel }) => drawing.panels[panel] !== undefined)).toBe(true)
        expect(drawing.height).toBeGreaterThan(0)
      }),
      { numRuns: 400 },
    )
  })
  it("has axis labels that don't overlap", () => {
    fc.assert(
      fc.property(anyData, fc.constantFrom('line', 'bar', 'stacked', 'multiples'), anySpace, (source, form, space) => {
        const drawing = draw(drawable(source), form, space)
        if (!drawing || source.x.kind !== 'day') return
        const lines = new Map<number, TextMark[]>()
        for (const one of texts(drawing))
          if (one.anchor === 'middle') lines.set(one.y, [...(lines.get(one.y) ?? []), one])
        for (const line of lines.values()) {
          const order = line.map(extent).sort((a, b) => a.from - b.from)
          for (let at = 1; at < order.length; at++) expect(order[at]!.from).toBeGreaterThan(order[at - 1]!.to)
          expect(order[0]!.from).toBeGreaterThanOrEqual(-0.01)
          expect(order.at(-1)!.to).toBeLessThanOrEqual(space.width + 0.01)
        }
      }),
      { numRuns: 300 },
    )
  })
  it('is navigable by key to every point', () => {
    fc.assert(
      fc.property(
        anyData,
        anyForm,
        anySpace,
        fc.array(
          fc.constantFrom('ArrowRight', 'ArrowLeft', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown'),
        ),
        (source, form, space, keys) => {
          const drawing = draw(drawable(source), form, space)
          if (!drawing || drawing.points.length === 0) return
          let at = -1
          for (const key of keys) {
            at = walked(drawing.points, at, key)!
            expect(drawing.points[at]).toBeDefined()
            expect(besides(drawing, at)).toContain(at)
          }
        },
      ),
      { numRuns: 200 },
    )
  })
  it('has a summary and a suitable form', () => {
    fc.assert(
      fc.property(anyData, (source) => {
        expect(summaryOf(drawable(source, 'EUR'))).toMatch(/\.$/)
        expect(chartForms).toContain(formFor(source))
        expect(formsFor(source)).toContain('bar')
      }),
    )
  })
})

describe('a value scale', () => {
  const anyValues = fc.array(value, { minLength: 1, maxLength: 50 })
  it('contains all values, and zero for areas', () => {
    fc.assert(
      fc.property(anyValues, fc.boolean(), (values, zero) => {
        const { at } = valueScale(values, { kind: 'number', from: 200, to: 0, zero })
        for (const one of values)
          if (one !== null) {
            expect(at(one)).toBeGreaterThanOrEqual(-0.01)
            expect(at(one)).toBeLessThanOrEqual(200.01)
          }
        if (zero) expect(at(0)).toBeCloseTo(Math.max(0, Math.min(200, at(0))), 6)
      }),
    )
  })
  it.each([[[5e-324, -5e-324]], [[0, 1e-12]], [[1e9, 1e9 + 1e-7]], [[-3, -3]]])('handles %j', (values) => {
    for (const zero of [true, false]) {
      const { at, ticks } = valueScale(values, { kind: 'number', from: 200, to: 0, zero })
      expect(ticks.length).toBeGreaterThan(1)
      for (const one of values) expect(Math.round(at(one))).toBeGreaterThanOrEqual(0)
    }
  })
  it('ends just above the maximum', () => {
    const { ticks } = valueScale([14_800], { kind: 'count', from: 240, to: 0, zero: true })
    expect([ticks[0], ticks.at(-1)]).toEqual([0, 16_000])
  })
  it('has no ticks between whole counts, and some for a small range', () => {
    expect(valueScale([0, 1], { kind: 'count', from: 300, to: 0, zero: true }).texts).toEqual(['0', '1'])
    expect(valueScale([0.003, 0.004], { kind: 'percent', from: 100, to: 0, zero: false }).texts.length).toBeGreaterThan(
      1,
    )
  })
  it('uses as many digits as distinguish ticks', () => {
    expect(axisTexts([0, 500_000, 1_000_000, 1_500_000], 'count')).toEqual(['0', '0.5M', '1.0M', '1.5M'])
    expect(axisTexts([0, 5_000, 10_000], 'count')).toEqual(['0', '5k', '10k'])
    expect(axisTexts([0, 0.001, 0.002], 'percent')).toEqual(['0', '0.1%', '0.2%'])
  })
})

describe('stacked parts', () => {
  it('stack up from zero, and negative ones down', () => {
    expect(piled([3, -2, null, 4, -1])).toEqual([
      { from: 0, to: 3 },
      { from: 0, to: -2 },
      null,
      { from: 3, to: 7 },
      { from: -2, to: -3 },
    ])
  })
  it('as a share fill the bar', () => {
    const drawing = draw(drawable(chartSamples['Shares']!.source), 'share', {
      width: 600,
      height: 200,
      textWidth: roughWidth,
    })!
    const boxes = drawing.points.map(({ box }) => box!)
    const gaps = boxes.length
    expect(boxes.reduce((total, { width }) => total + width, 0)).toBeCloseTo(600 - gaps, 0)
  })
  it('as a share of series or categories are each complete', () => {
    const shares = (kind: 'day' | 'text', labels: string[]): string[] =>
      draw(
        drawable(
          chartDataOf(kind, labels, [
            ['Clicks · A', 'Clicks', [1, 2]],
            ['Clicks · B', 'Clicks', [3, 4]],
          ]),
        ),
        'share',
        { width: 600, height: 200, textWidth: roughWidth },
      )!.points.map(({ heading, value }) => `${heading}: ${value}`)
    expect(shares('day', ['2026-03-01', '2026-03-02'])).toEqual(['B: 7 (70.0%)', 'A: 3 (30.0%)'])
    expect(shares('text', ['X', 'Y'])).toEqual(['Y: 6 (60.0%)', 'X: 4 (40.0%)'])
  })
  it('stay in the total when cut off', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 1e6 }), { minLength: 1, maxLength: 40 }),
        fc.nat(9),
        (values, others) => {
          const source = chartDataOf(
            'text',
            values.map((_, at) => `Site ${at}`),
            [['Clicks', 'Clicks', values]],
            { x: others, split: 0 },
          )
          const { data, left } = largest(drawable(source), 12)
          expect(left).toBe(0)
          expect(sum(data.series[0]!.values)).toBe(sum(values))
          expect(data.labels.length).toBeLessThanOrEqual(13)
        },
      ),
    )
  })
  it("that can't be summed are left out with a note", () => {
    const rates = Array.from({ length: 20 }, (_, at) => at / 1_000)
    const source = chartDataOf('text', rates.map(String), [['Click Rate', 'Click Rate', rates]])
    const drawing = draw(drawable(source), 'bar', { width: 600, height: 200, textWidth: roughWidth })!
    expect(drawing.points).toHaveLength(12)
    expect(drawing.notes).toEqual(['8 more in the table only.'])
  })
})

describe('a long series', () => {
  it('keeps its first, last, highest, and lowest points', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer(), { minLength: 3, maxLength: 2_000 }),
        fc.integer({ min: 8, max: 100 }),
        (values, most) => {
          const kept = thinned(values, most)
          expect(kept.length).toBeLessThanOrEqual(Math.max(values.length <= most ? values.length : 0, most + 2))
          expect([kept[0], kept.at(-1)]).toEqual([0, values.length - 1])
          const there = kept.map((at) => values[at]!)
          expect([Math.min(...there), Math.max(...there)]).toEqual([Math.min(...values), Math.max(...values)])
        },
      ),
    )
  })
  it('stays under the limit, with a note', () => {
    const labels = daysFrom('1990-01-01', 12_000)
    const source = chartDataOf('day', labels, [['Clicks', 'Clicks', labels.map((_, at) => at % 97)]])
    for (const form of ['line', 'bar'] as const) {
      const drawing = draw(drawable(source), form, { width: 900, height: 300, textWidth: roughWidth })!
      expect(drawing.points.length).toBeLessThanOrEqual(maxMarks)
      expect(drawing.notes.join()).toContain('The table has')
    }
  })
})

describe('a time axis', () => {
  it('labels weeks by their first days at any width', () => {
    const weeks = daysFrom('2026-03-30', 11, 7)
    const source = chartDataOf('week', weeks, [['Clicks', 'Clicks', weeks.map((_, at) => at)]])
    const drawing = draw(drawable(source), 'line', { width: 280, height: 200, textWidth: roughWidth })!
    const labels = texts(drawing).filter(({ anchor }) => anchor === 'middle')
    expect(labels.length).toBeGreaterThan(1)
    for (const { text } of labels) expect(weeks.map((week) => labelBrief(week, 'week'))).toContain(text)
  })
  it('drops invalid dates with a note', () => {
    const source = chartDataOf(
      'day',
      ['2026-03-01', '2026-03-02', '(not set)', 'Other'],
      [['Clicks', 'Clicks', [1, 2, 3, 4]]],
      { x: 7, split: 0 },
    )
    const drawing = draw(drawable(source), 'line', { width: 600, height: 200, textWidth: roughWidth })!
    expect(drawing.points.map(({ heading }) => heading)).toEqual(['1 March', '2 March'])
    expect(drawing.notes).toEqual(['7 earlier periods not shown.', 'Rows without a date aren’t shown.'])
  })
})

describe('provisional data', () => {
  const space = { width: 600, height: 240, textWidth: roughWidth }
  const days = daysFrom('2026-03-01', 10)
  const two = chartDataOf('day', days, [
    ['Clicks · A', 'Clicks', days.map((_, at) => at + 1)],
    ['Clicks · B', 'Clicks', days.map((_, at) => 20 - at)],
  ])
  const data = drawable(two, undefined, '2026-03-09')
  const words = 'Data from 9 March onward may still change.'
  it.each(['line', 'bar', 'stacked', 'multiples'] as const)('has a background band in %s to the end', (form) => {
    const drawing = draw(data, form, space)!
    const bands = drawing.marks.filter((mark) => mark.kind === 'band')
    // The last one is the legend's sample.
    expect(bands).toHaveLength(drawing.panels.length + 1)
    const first = drawing.points.filter(({ heading }) => heading === '9 March')
    const before = drawing.points.filter(({ heading }) => heading === '8 March')
    for (const { panel, x } of first) {
      expect(bands[panel]!.x).toBeLessThan(x)
      expect(bands[panel]!.x).toBeGreaterThan(
        Math.min(...before.filter((one) => one.panel === panel).map((one) => one.x)),
      )
      expect(bands[panel]!.x + bands[panel]!.width).toBeGreaterThan(x)
    }
    expect(texts(drawing).at(-1)).toMatchObject({ text: words })
    expect(texts(drawing).at(-1)!.y).toBeLessThan(drawing.height)
    // It takes no more room than without provisional data.
    if (form !== 'multiples') expect(drawing.height).toBe(draw(drawable(two), form, space)!.height)
  })
  it('is mentioned at each of its points and no other', () => {
    for (const form of chartForms) {
      const drawing = draw(data, form, space)!
      const [open, settled] = [true, false].map((wanted) =>
        drawing.points.filter(({ heading }) => ['9 March', '10 March'].includes(heading) === wanted),
      )
      expect(open!.every(({ spoken, unsettled }) => unsettled && spoken.endsWith(', may still change'))).toBe(true)
      expect(settled!.some(({ spoken, unsettled }) => unsettled || spoken.includes('change'))).toBe(false)
    }
  })
  it('hatches bars, dots, and cells', () => {
    for (const [form, kind, count] of [
      ['bar', 'bar', 4],
      ['stacked', 'bar', 4],
      ['heat', 'cell', 2],
    ] as const) {
      const { marks } = draw(data, form, space)!
      expect(marks.filter((mark) => mark.kind === kind && mark.unsettled)).toHaveLength(count)
    }
    const rates = chartDataOf('day', days, [
      ['Click Rate', 'Click Rate', days.map((_, at) => at / 100)],
      ['Media Cost', 'Media Cost', days.map((_, at) => at * 2)],
    ])
    const { marks } = draw(drawable(rates, 'EUR', '2026-03-09'), 'scatter', space)!
    // Two days and the legend's sample.
    expect(marks.filter((mark) => mark.kind === 'dot' && mark.unsettled)).toHaveLength(3)
  })
  it('is mentioned in the summary', () => {
    expect(summaryOf(data).endsWith(` ${words}`)).toBe(true)
    expect(summaryOf(drawable(two))).not.toContain('change')
  })
  it("leaves no mark when all is final or the axis isn't time", () => {
    for (const form of chartForms) {
      const settled = draw(drawable(two, undefined, '2026-03-11'), form, space)!
      expect(settled).toEqual(draw(drawable(two), form, space))
    }
    const sites = chartDataOf('text', ['2026 Games', 'Site'], [['Clicks', 'Clicks', [2, 1]]])
    expect(draw(drawable(sites, undefined, '2026-03-09'), 'bar', space)).toEqual(draw(drawable(sites), 'bar', space))
  })
  it('includes a week, month, or quarter with one such day', () => {
    const opens = (kind: 'week' | 'month' | 'quarter' | 'year', labels: string[], from: string): string[] =>
      draw(
        drawable(chartDataOf(kind, labels, [['Clicks', 'Clicks', labels.map(() => 1)]]), undefined, from),
        'bar',
        space,
      )!
        .points.filter(({ unsettled }) => unsettled)
        .map(({ heading }) => heading)
    const weeks = ['2026-03-02', '2026-03-09', '2026-03-16']
    expect(opens('week', weeks, '2026-03-15')).toEqual(['week of 9 March', 'week of 16 March'])
    expect(opens('week', weeks, '2026-03-16')).toEqual(['week of 16 March'])
    expect(opens('month', ['2026-02', '2026-03'], '2026-03-01')).toEqual(['March 2026'])
    expect(opens('month', ['2026-02', '2026-03'], '2026-02-28')).toEqual(['February 2026', 'March 2026'])
    expect(opens('quarter', ['2025-Q4', '2026-Q1'], '2026-03-31')).toEqual(['Q1 2026'])
    expect(opens('year', ['2025', '2026'], '2026-01-01')).toEqual(['2026'])
  })
})

describe('money', () => {
  it('shows its currency at each axis and value', () => {
    const labels = daysFrom('2026-03-01', 4)
    const source = chartDataOf('day', labels, [
      ['Media Cost', 'Media Cost', [1.5, 2.5, 3.5, 4.5]],
      ['Clicks', 'Clicks', [1, 2, 3, 4]],
    ])
    for (const form of chartForms) {
      const drawing = draw(drawable(source, 'CAD'), form, { width: 600, height: 240, textWidth: roughWidth })!
      expect(
        texts(drawing)
          .map(({ text }) => text)
          .join(' '),
      ).toContain('Media Cost (CAD)')
      const spoken = drawing.points.map(({ spoken }) => spoken).join()
      if (form !== 'share') expect(spoken).toContain('CA$4.50')
    }
    // Dollars differ by country.
    expect([valueText(1, 'money', 'USD'), valueText(1, 'money', 'AUD')]).toEqual(['$1.00', 'A$1.00'])
  })
})

describe('end labels', () => {
  it("don't overlap and stay inside", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 200, noNaN: true }), { minLength: 1, maxLength: 14 }), (wanted) => {
        const order = spread(wanted, 14, 0, 200).sort((a, b) => a - b)
        for (let at = 1; at < order.length; at++) expect(order[at]! - order[at - 1]!).toBeGreaterThanOrEqual(13.999)
        expect(order[0]).toBeGreaterThanOrEqual(-0.001)
        expect(order.at(-1)).toBeLessThanOrEqual(200.001)
      }),
    )
  })
  it('truncate by whole characters', () => {
    expect(fitted('Übergröße 👩‍🚀', 40, 11, roughWidth)).toMatch(/^Über?…$/)
    expect(fitted('short', 400, 11, roughWidth)).toBe('short')
  })
})

describe('a point', () => {
  const split = drawable(
    chartDataOf(
      'day',
      ['2026-03-02', '2026-03-03'],
      [
        ['Clicks, Site A', 'Clicks', [10_000, 12_400]],
        ['Clicks, Site B', 'Clicks', [5_000, null]],
      ],
    ),
  )
  const drawing = draw(split, 'line', { width: 600, height: 240, textWidth: roughWidth })!
  it('reads as a sentence', () => {
    expect(drawing.points.map(({ spoken }) => spoken)).toEqual([
      '2 March, Site A, clicks: 10,000',
      '3 March, Site A, clicks: 12,400',
      '2 March, Site B, clicks: 5,000',
    ])
  })
  it('is found under the pointer with all values of its day', () => {
    const { x, y } = drawing.points[0]!
    expect(pointedAt(drawing, x + 5, y)).toBe(0)
    expect(besides(drawing, 0)).toEqual([0, 2])
    expect(pointedAt(drawing, x, -50)).toBe(-1)
  })
  it('is reached along its line, and on the next line at the nearest day', () => {
    expect(walked(drawing.points, 0, 'ArrowRight')).toBe(1)
    expect(walked(drawing.points, 1, 'ArrowDown')).toBe(2)
    expect(walked(drawing.points, 2, 'ArrowRight')).toBe(2)
    expect(walked(drawing.points, 2, 'a')).toBeUndefined()
  })
})

describe('chart text', () => {
  it('writes values in full', () => {
    expect(valueText(12_400, 'count')).toBe('12,400')
    expect(valueText(1_240.5, 'money', 'EUR')).toBe('€1,240.50')
    expect(valueText(1_240.5, 'money', 'nonsense')).toBe('1,240.50 nonsense')
    expect(valueText(0.003579, 'percent')).toBe('0.358%')
  })
  it('writes negatives with a minus, in full and short, on axes and below', () => {
    expect([valueText(-12, 'count'), valueText(-1_240.5, 'money', 'EUR'), valueText(-0.25, 'percent')]).toEqual([
      '−12',
      '−€1,240.50',
      '−25.0%',
    ])
    expect([briefText(-12_400, 'count'), axisTexts([-20_000, 0, 20_000], 'count')]).toEqual([
      '−12.4k',
      ['−20k', '0', '20k'],
    ])
    const source = chartDataOf('text', ['Site A', 'Site B'], [['Clicks', 'Clicks', [60, -30]]])
    const room = { width: 640, height: 300, textWidth: roughWidth }
    for (const form of chartForms) {
      const drawing = draw(drawable(source), form, room)!
      const words = [...texts(drawing).map(({ text }) => text), ...drawing.points.map(({ spoken }) => spoken)]
      expect([form, words.filter((text) => /-\d/.test(text))]).toEqual([form, []])
    }
  })
  it('omits a percentage of a negative base', () => {
    const days = daysFrom('2026-03-01', 2)
    const about = (first: number, last: number): string =>
      summaryOf(drawable(chartDataOf('day', days, [['Clicks', 'Clicks', [first, last]]]))).split('.')[0]!
    expect(about(0, 5)).toBe('Clicks rose from 0 to 5 (2 March compared with 1 March)')
    expect(about(-5, 5)).toBe('Highest 5 on 2 March, lowest −5 on 1 March')
  })
  it('formats days, weeks, months, and quarters, and leaves other text alone', () => {
    expect(labelWords('2026-03-02', 'week')).toBe('week of 2 March')
    expect(labelWords('2026-Q4', 'quarter')).toBe('Q4 2026')
    expect(labelWords('2026-11', 'month')).toBe('November 2026')
    expect(labelWords('(not set)', 'day')).toBe('not set')
    expect(startOf('2026-02-30', 'day')).toBeUndefined()
  })
  it('says what fell and which part drove it', () => {
    const days = daysFrom('2026-03-01', 4)
    const source = chartDataOf('day', days, [
      ['Clicks, Site A', 'Clicks', [50, 50, 40, 40]],
      ['Clicks, Site B', 'Clicks', [50, 50, 48, 48]],
    ])
    expect(summaryOf(drawable(source))).toBe(
      'Clicks fell 12%, mostly because of Site A (3 March to 4 March compared with 1 March to 2 March). Highest 100 on 1 March, lowest 88 on 3 March.',
    )
  })
  it('says which part is largest and its share', () => {
    const source = chartDataOf('text', ['Site A', 'Site B', 'Site C'], [['Clicks', 'Clicks', [60, 30, 10]]])
    expect(summaryOf(drawable(source))).toBe(
      'Site A has the most clicks of all 3: 60 (60% of the total), then Site B with 30.',
    )
  })
  it('says which part has the highest rate', () => {
    const source = chartDataOf('text', ['Site A', 'Site B'], [['Click Rate', 'Click Rate', [0.003, 0.001]]])
    expect(summaryOf(drawable(source))).toBe('Site A has the highest click rate: 0.300%, then Site B with 0.100%.')
  })
  it('never sums rates', () => {
    const source = chartDataOf('day', daysFrom('2026-03-01', 3), [['Click Rate', 'Click Rate', [0.001, 0.003, 0.002]]])
    expect(summaryOf(drawable(source))).toBe('Click rate ranged from 0.100% to 0.300%, ending at 0.200%.')
  })
  it('leaves out a rate without values', () => {
    const source = chartDataOf('day', daysFrom('2026-03-01', 2), [
      ['Click Rate, Site A', 'Click Rate', [null, 0]],
      ['Click Rate, Site B', 'Click Rate', [null, null]],
    ])
    expect(summaryOf(drawable(source))).toBe('Click rate of Site A stayed at 0% throughout.')
  })
  it('says that nothing happened', () => {
    const source = chartDataOf('day', daysFrom('2026-03-01', 2), [['Clicks', 'Clicks', [0, 0]]])
    expect(summaryOf(drawable(source))).toBe('Clicks stayed at 0 throughout.')
  })
})

describe('the suggested chart type', () => {
  it.each([
    ['One line', 'line'],
    ['Small charts', 'multiples'],
    ['Sorted bars', 'bar'],
    ['Two rates', 'scatter'],
    ['One point', 'bar'],
  ])('%s: %s', (name, form) => {
    expect(formFor(chartSamples[name]!.source)).toBe(form)
  })
})

it('knows from the results whether a metric adds up, not from its name', () => {
  const [series] = drawable({
    ...{ x: { head: 'Site', kind: 'text', adds: null }, labels: ['A'], others: { x: 0, split: 0 } },
    series: [{ name: 'Reichweite', metric: 'Reichweite', about: { kind: 'count', adds: 'whole' }, values: [3] }],
  }).series
  expect([series!.adds, series!.kind]).toEqual([false, 'count'])
})
