import { describe, expect, it } from 'vitest'
import { factsOf } from '#shared/facts/facts'
import { traffickingRemarks } from '#shared/facts/remarks/trafficking'
import { onlySection } from '#shared/facts/sheet'
import { fieldAt } from '#shared/fields/path'
import { versionsOf } from '#shared/wire/services'
import { headOfComputed } from '../../../src-renderer/views/campaigns/computed'

const versions = versionsOf('trafficking').map((trafficking) => factsOf({ trafficking }))

describe.each(Object.entries(traffickingRemarks.sheets))('the %s sheet', (name, remark) => {
  const { columns, sections = [onlySection] } = remark
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
  it('has only widths that the view knows', () => {
    for (const { path, width } of columns) expect(['tiny', 'small', 'medium', 'large', 'wide'], path).toContain(width)
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
      expect(one.sheet.place).toBe(Object.keys(traffickingRemarks.sheets).indexOf(name))
      for (const { path } of one.sheet.columns) expect(path.startsWith('fx.') || fieldAt(one, path), path).toBeTruthy()
      expect(one.columns[0]).toBe(one.title)
    }
  })
})
