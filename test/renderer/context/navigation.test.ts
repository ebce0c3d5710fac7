import { expect, it } from 'vitest'
import { Navigation } from '../../../src-renderer/context/navigation.svelte'

it('moves back and forward, and a new place clears the forward history', () => {
  const navigation = new Navigation({ view: 'calendar', params: {} })
  navigation.go('calendar', { day: 1 })
  navigation.go('tasks')
  navigation.back()
  expect(navigation.place).toEqual({ view: 'calendar', params: { day: 1 } })
  navigation.forward()
  expect(navigation.place.view).toBe('tasks')
  navigation.back()
  navigation.go('sync')
  expect(navigation.canGoForward).toBe(false)
})

it("restores a view's state when you return", () => {
  const navigation = new Navigation({ view: 'calendar', params: {} })
  navigation.go('calendar', { day: 5, layout: 'month' })
  navigation.go('tasks')
  navigation.go('calendar')
  expect(navigation.place.params).toEqual({ day: 5, layout: 'month' })
})

it('adds no history entry for the current place or a replacement', () => {
  const navigation = new Navigation({ view: 'calendar', params: {} })
  navigation.go('calendar', {})
  navigation.replace({ day: 2 })
  expect(navigation.canGoBack).toBe(false)
  expect(navigation.place.params).toEqual({ day: 2 })
})
