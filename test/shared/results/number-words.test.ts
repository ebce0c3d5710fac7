import { expect, it } from 'vitest'
import { numberWords } from '#shared/results/number-words'

it.each([
  ['19841.735037', 'money', '19,841.74'],
  ['-0.5', 'money', '\u22120.50'],
  ['12345678901234567890.126', 'money', '12,345,678,901,234,567,890.13'],
  ['9007199254740993', 'count', '9,007,199,254,740,993'],
  ['0.3579%', 'percent', '0.36%'],
  ['0.003579', 'percent', '0.36%'],
  ['1.23456', 'number', '1.23'],
  ['1.50', 'number', '1.50'],
  ['2.0', 'number', '2.0'],
  ['3', 'number', '3'],
  ['0.3579', 'number', '0.36'],
  ['0.0000', 'number', '0.00'],
  ['0.0123456', 'number', '0.0123'],
  ['---', 'count', '–'],
  ['', 'money', ''],
  ['(not set)', 'count', '(not set)'],
  ['9007199254740993', 'id', '9007199254740993'],
  ['2026-11-22', 'day', '2026-11-22'],
] as const)('%s of %s is %s', (text, kind, words) => {
  expect(numberWords(text, kind)).toBe(words)
})
