import type { Locator, Page } from 'playwright-core'

/** What acts by other means than the keyboard of the page. */
const acts: ReadonlySet<string | symbol> = new Set([
  ...['blur', 'check', 'clear', 'click', 'dblclick', 'dispatchEvent', 'dragAndDrop', 'dragTo', 'fill', 'focus'],
  ...['hover', 'mouse', 'press', 'pressSequentially', 'scrollIntoViewIfNeeded', 'selectOption', 'selectText'],
  ...['setChecked', 'setInputFiles', 'tap', 'touchscreen', 'type', 'uncheck'],
])
const isLocator = (one: unknown): one is Locator =>
  typeof one === 'object' && one !== null && 'pressSequentially' in one

/** A page on which only `keyboard` acts: whatever else would, there or on its locators, throws when it is asked for. */
export function keysOnly<T extends Page | Locator>(of: T): T {
  return new Proxy(of, {
    get(target, name) {
      if (acts.has(name)) throw new Error(`Only keys act here, not ${String(name)}`)
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return (...args: unknown[]): unknown => {
        const made: unknown = Reflect.apply(value, target, args)
        return isLocator(made) ? keysOnly(made) : made
      }
    },
  })
}
