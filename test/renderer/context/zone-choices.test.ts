import { describe, expect, it } from 'vitest'
import { cityOf, zoneChoices } from '../../../src-renderer/context/zone-choices'
import { findChoices } from '../../../src-renderer/ui/choices'

const at = Date.UTC(2026, 5, 10)
const found = (typed: string, own: readonly string[] = []): string[] =>
  findChoices(zoneChoices(at, own), typed).map(({ label }) => label)

describe('the time zones to choose from', () => {
  it('have the current names of their cities, and are found by the former ones', () => {
    expect(cityOf('Asia/Calcutta')).toBe('Kolkata')
    for (const typed of ['kolkata', 'calcutta']) expect(found(typed), typed).toEqual(['Kolkata'])
    expect(found('kyiv')).toEqual(['Kyiv'])
    expect(found('ho chi')).toEqual(['Ho Chi Minh'])
  })

  it('are found by places that quick add knows', () => {
    expect(found('mumbai')).toEqual(['Kolkata'])
    expect(found('san francisco')).toEqual(['Los Angeles'])
  })

  it('are there once, by the first name given', () => {
    const own = ['Asia/Kolkata', 'Asia/Calcutta', 'America/Argentina/Buenos_Aires', 'Etc/UTC']
    expect(found('kolkata', own)).toEqual(['Kolkata'])
    expect(found('buenos', own)).toEqual(['Buenos Aires'])
    expect(
      zoneChoices(at, own)
        .filter(({ group }) => group === 'Yours')
        .map(({ value }) => value),
    ).toEqual(['Asia/Kolkata', 'America/Argentina/Buenos_Aires', 'Etc/UTC'])
  })

  it('name no city twice in a group', () => {
    const names = zoneChoices(at).map(({ group, label }) => `${group} ${label}`)
    expect(new Set(names).size).toBe(names.length)
  })
})
