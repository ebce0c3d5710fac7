import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { momentName, nameFrom, safeStem, unknownPlace } from '#shared/reports/file-names'

const parts = {
  report: 'Weekly',
  from: '2026-11-01',
  to: '2026-11-07',
  account: 'Agency',
  run: '2026-11-22 0804',
  view: '',
}

describe('a file name', () => {
  it.each([
    ['{report} {from} {to} {view}', 'Weekly 2026-11-01 2026-11-07'],
    ['{account}, {report} - {view}', 'Agency, Weekly'],
    ['{report}/{run}', 'Weekly 2026-11-22 0804'],
    ['no place', 'no place'],
    ['{view}', 'Flightplan'],
  ])('for %s is %s', (template, name) => {
    expect(nameFrom(template, parts)).toBe(name)
  })

  it('keeps the dates of a report with a long name', () => {
    const name = nameFrom('{report} {from} {to}', { ...parts, report: 'Delivery of everything '.repeat(20) })
    expect(name).toMatch(/^Delivery of everything .* 2026-11-01 2026-11-07$/)
    expect([...name].length).toBeLessThanOrEqual(120)
  })

  it.each(['CON', 'nul.txt', 'com1', '..', '', ' . ', 'a/b\\c:d*e?f"g<h>i|j', 'end. ', '\u202eexe'])(
    '%j is portable',
    (text) => {
      expect(safeStem(text)).toMatch(/^(?!(?:con|nul|com\d)(?:\.|$))[^\s.<>:"/\\|?*][^<>:"/\\|?*\u202e]*(?<![. ])$/i)
    },
  )

  it('from any text fits every disk, and sanitizing is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        const name = safeStem(text)
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(240)
        expect([...name].length).toBeLessThanOrEqual(131)
        expect(name).not.toMatch(/[\u0000-\u001f<>:"/\\|?*]|^[.\s]|[.\s]$/)
        expect(name).not.toBe('')
      }),
    )
  })

  it('has known placeholders and names the first unknown one', () => {
    expect(unknownPlace('{report} {run}')).toBeUndefined()
    expect(unknownPlace('{report} {runs} {x}')).toBe('runs')
  })

  it('shows times in your time zone', () => {
    expect(momentName(Date.UTC(2026, 10, 22, 23, 30), 'Europe/Berlin')).toBe('2026-11-23 0030')
  })
})
