import { expect, it } from 'vitest'
import { Navigation } from '../../../src-renderer/context/navigation.svelte'

it('goes back and forward through places, and a new place ends the way forward', () => {
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

it('a view comes back as it was left', () => {
  const navigation = new Navigation({ view: 'calendar', params: {} })
  navigation.go('calendar', { day: 5, layout: 'month' })
  navigation.go('tasks')
  navigation.go('calendar')
  expect(navigation.place.params).toEqual({ day: 5, layout: 'month' })
})

it('going where one is makes no step, and replacing none either', () => {
  const navigation = new Navigation({ view: 'calendar', params: {} })
  navigation.go('calendar', {})
  navigation.replace({ day: 2 })
  expect(navigation.canGoBack).toBe(false)
  expect(navigation.place.params).toEqual({ day: 2 })
})
