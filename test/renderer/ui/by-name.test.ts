import { expect, it } from 'vitest'
import { byName } from '../../../src-renderer/ui/by-name'

it("names sort the same on every computer's language", () => {
  const names = ['Zoe', 'Åsa', 'alex', 'Team 10', 'Alex B', 'Team 2', 'Öl', 'Ottawa'].map((name) => ({ name }))
  expect(names.sort(byName).map(({ name }) => name)).toEqual([
    'alex',
    'Alex B',
    'Åsa',
    'Öl',
    'Ottawa',
    'Team 2',
    'Team 10',
    'Zoe',
  ])
})
