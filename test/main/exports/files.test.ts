import { mkdtemp, readFile, readdir, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvChunks, defused, type Cell } from '../../../src-main/exports/csv'
import { saveNew } from '../../../src-main/exports/export-file'
import { safeFileName, saveFile } from '../../../src-main/exports/save-file'
import { cases } from '../../helpers/ring'

const folder = (): Promise<string> => mkdtemp(join(tmpdir(), 'flightplan-files-'))

describe('saving a file', () => {
  it('replaces the old one atomically and leaves nothing else', async () => {
    const at = await folder()
    await writeFile(join(at, 'a.csv'), 'old')
    expect(await saveFile(join(at, 'a.csv'), ['new ', 'ä'])).toBe(6)
    expect(await readFile(join(at, 'a.csv'), 'utf8')).toBe('new ä')
    expect(await readdir(at)).toEqual(['a.csv'])
  })

  it('that fails midway keeps the old one and leaves nothing', async () => {
    const at = await folder()
    await writeFile(join(at, 'a.csv'), 'old')
    function* broken(): Generator<string> {
      yield 'half'
      throw Object.assign(new Error('full'), { code: 'ENOSPC' })
    }
    await expect(saveFile(join(at, 'a.csv'), broken())).rejects.toMatchObject({
      fault: {
        code: 'storage',
        message:
          'Your disk is full. Nothing was saved, and any existing file is unchanged. Free up disk space, then try again.',
      },
    })
    expect(await readFile(join(at, 'a.csv'), 'utf8')).toBe('old')
    expect(await readdir(at)).toEqual(['a.csv'])
  })

  it('that is canceled leaves nothing', async () => {
    const at = await folder()
    const controller = new AbortController()
    function* slow(): Generator<string> {
      yield 'half'
      controller.abort()
      yield 'rest'
    }
    await expect(saveFile(join(at, 'a.csv'), slow(), controller.signal)).rejects.toMatchObject({
      fault: { code: 'aborted' },
    })
    expect(await readdir(at)).toEqual([])
  })

  it('without overwriting gives the name to only one of several at once', async () => {
    const at = await folder()
    const path = join(at, 'a.csv')
    const saved = await Promise.allSettled(Array.from({ length: 8 }, (_, index) => saveNew(path, [String(index)])))
    const won = saved.findIndex(({ status }) => status === 'fulfilled')
    expect(saved.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const one of saved)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ fault: { code: 'duplicate' } })
    expect(await readFile(path, 'utf8')).toBe(String(won))
    expect(await readdir(at)).toEqual(['a.csv'])
  })

  it('never writes through a link', async () => {
    const at = await folder()
    const outside = join(await folder(), 'secret')
    await writeFile(outside, 'untouched')
    await symlink(outside, join(at, 'a.csv'))
    await saveFile(join(at, 'a.csv'), ['mine'])
    expect(await readFile(outside, 'utf8')).toBe('untouched')
    expect(await readFile(join(at, 'a.csv'), 'utf8')).toBe('mine')
  })
})

describe('file names', () => {
  it.each([
    '..',
    '../..',
    '../../etc/passwd',
    '..\\..\\windows',
    '/etc/passwd',
    'C:\\x',
    'a/b',
    'a\0b',
    'CON',
    'con.txt',
    'nul',
    'LPT1',
    '.hidden',
    ' ',
    '',
    'x'.repeat(500),
    'invoice\u202excod.exe',
    'a:b',
    'a*b?',
    '...',
    'ends. ',
    '\u2066x',
    'COM7.ics',
    'CONIN$',
    'conout$.txt',
    'nul\u200b',
    '\u200b',
    'n\u00adul',
    '\u200dcon',
    '\u061c..',
    '<>|"',
  ])('%j becomes one harmless name in its folder', (name) => {
    const safe = safeFileName(name, '.csv')
    expect(dirname(join('/chosen', safe))).toBe('/chosen')
    expect(safe).toMatch(
      /^[^./\\\u0000-\u001f<>:"|?*\u202a-\u202e\u2066-\u2069][^/\\\u0000-\u001f<>:"|?*\u202a-\u202e\u2066-\u2069]*\.csv$/,
    )
    expect(safe).not.toMatch(/\p{Cf}/u)
    expect(safe.length).toBeLessThanOrEqual(140)
    expect(safe).not.toMatch(/^(con|nul|lpt1|com7|conin\$|conout\$)\./i)
  })

  it('a normal name is unchanged', () => {
    expect(safeFileName('Team – März 2026', '.ics')).toBe('Team – März 2026.ics')
    expect(safeFileName('Tasks.csv', '.csv')).toBe('Tasks.csv')
  })
})

describe('comma-separated values', () => {
  const table = (rows: Cell[][]): string[][] =>
    parse([...csvChunks(['a', 'b'], rows)].join(''), { bom: true, relax_column_count: true })

  it('quote a lone CR or LF, for parsers that take either as a line end', () => {
    const cells = ['one\ntwo', 'one\rtwo', 'one\r\ntwo', 'plain']
    const written = [...csvChunks(['a', 'b', 'c', 'd'], [cells])].join('')
    for (const end of ['\r\n', '\n', '\r'])
      expect(
        written
          .replaceAll(/"[^"]*"/g, '')
          .split('\r\n')
          .join('')
          .includes(end),
      ).toBe(false)
    expect(parse(written, { bom: true, record_delimiter: '\r\n' })).toEqual([['a', 'b', 'c', 'd'], cells])
  })

  it('defuse formulas and keep numbers as numbers', () => {
    for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '\uff1d1', '\u0000=1', '\ufeff=1'])
      expect(defused(text), JSON.stringify(text)).toMatch(/^'/)
    expect(defused(-12.5)).toBe('-12.5')
    expect(defused('plain - text')).toBe('plain - text')
    expect(defused(null)).toBe('')
  })

  it('read back exactly in another parser, whatever the cells', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' })), {
          minLength: 1,
          maxLength: 20,
        }),
        (rows) => {
          const read = table(rows).slice(1)
          expect(read).toEqual(rows.map((row) => row.map((cell) => defused(cell))))
          for (const cell of read.flat()) expect(cell).not.toMatch(/^\s*[=+@]/)
        },
      ),
      { numRuns: cases(400, 3_000) },
    )
  })

  /** Text as written by users and attackers: separators, quotes, and formulas close together. */
  const piece = fc.constantFrom(
    ...[';', '\t', '|', ',', '"', "'", '\n', '\r', '\r\n', ' ', '\u200b', '\ufeff', '\u0000', 'x', '1', 'ä'],
    ...['=', '+', '-', '@', '\uff1d', '\uff0b', '\uff0d', '\uff20'],
  )
  const text = fc.oneof(
    fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
    fc.string(),
  )
  const computed = /^[\s\ufeff\u200b]*[=+\-@\uff1d\uff0b\uff0d\uff20]/

  it('contain no formula under any separator', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text, fc.integer()), { minLength: 1, maxLength: 4 }), (rows) => {
        const written = [...csvChunks(['a', 'b', 'c'], rows)].join('')
        for (const delimiter of [',', ';', '\t', '|']) {
          const options = { delimiter, bom: true, relax_column_count: true, skip_empty_lines: true }
          const quoting = { ...options, relax_quotes: true, skip_records_with_error: true }
          for (const row of [quoting, { ...options, quote: false }].flatMap((how): string[][] => parse(written, how)))
            // Numbers stay numbers, even negative ones.
            for (const cell of row)
              if (!/^-\d+$/.test(cell))
                expect(cell.replace(/^[\s"]*"/, ''), JSON.stringify([delimiter, written])).not.toMatch(computed)
        }
        const numbers = table(rows)
          .slice(1)
          .map((row) => row[2])
        expect(numbers).toEqual(rows.map(([, , number]) => String(number)))
      }),
      { numRuns: cases(400, 3_000) },
    )
  })
})
