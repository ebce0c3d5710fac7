import { describe, expect, it } from 'vitest'
import { factsOf } from '#shared/facts/facts'
import { traffickingSheets } from '#shared/facts/remarks/trafficking-sheets'
import { readSheet } from '#shared/facts/sheet'
import { fieldAt } from '#shared/fields/path'
import { versionsOf } from '#shared/wire/services'
import { headOfComputed } from '../../../src-renderer/views/campaigns/computed'

const versions = versionsOf('trafficking').map((trafficking) => factsOf({ trafficking }))

describe('a sheet definition', () => {
  it('parses lines of paths, widths, and labels, and section lines', () => {
    expect(
      readSheet({
        columns: 'name:w PS.endDate:s"Last day"\n  fx.cost:s',
        form: 'Basics: * comment|Price: PP.units DS',
      }),
    ).toEqual({
      columns: [
        { path: 'name', width: 'w' },
        { path: 'pricingSchedule.endDate', width: 's', label: 'Last day' },
        { path: 'fx.cost', width: 's' },
      ],
      sections: [
        { title: 'Basics', paths: ['*', 'comment'] },
        { title: 'Price', paths: ['pricingSchedule.pricingPeriods.0.units', 'deliverySchedule'] },
      ],
    })
    expect(readSheet({ columns: 'name:w' }).sections).toEqual([{ title: 'Basics', paths: ['*'] }])
  })
  it('is rejected when malformed', () => {
    for (const columns of ['name', 'name:q', 'name:w size', 'name:w:s"'])
      expect(() => readSheet({ columns }), columns).toThrow(/Not (a )?columns?/)
    for (const form of ['Basics', 'Basics:|x: y', ': name'])
      expect(() => readSheet({ columns: 'name:w', form }), form).toThrow(/Not a section/)
  })
})

describe.each(Object.entries(traffickingSheets))('the %s sheet', (name, remark) => {
  const { columns, sections } = readSheet(remark)
  const paths = [...columns.map(({ path }) => path), ...sections.flatMap((section) => section.paths)]
  it('has only known or computed paths', () => {
    const unknown = paths.filter(
      (path) =>
        path !== '*' &&
        headOfComputed(path) === undefined &&
        !versions.some((facts) => facts.find(name) && fieldAt(facts.of(name), path)),
    )
    expect(unknown).toEqual([])
  })
  it('has each path once, with title and ID', () => {
    const first = versions.map((facts) => facts.find(name)?.title).find(Boolean)
    expect(columns[0]!.path).toBe(first)
    const own = columns.map(({ path }) => path)
    expect(new Set(own).size).toBe(own.length)
    expect(own).toContain('id')
    const inForm = sections.flatMap((section) => section.paths)
    expect(new Set(inForm).size).toBe(inForm.length)
    expect(sections[0]!.paths.includes('*') || sections[0]!.paths.includes(first!)).toBe(true)
  })
  it('matches the facts of every version', () => {
    for (const facts of versions) {
      const one = facts.find(name)
      if (!one) continue
      expect(one.sheet.place).toBe(Object.keys(traffickingSheets).indexOf(name))
      for (const { path } of one.sheet.columns) expect(path.startsWith('fx.') || fieldAt(one, path), path).toBeTruthy()
      expect(one.columns[0]).toBe(one.title)
    }
  })
})
