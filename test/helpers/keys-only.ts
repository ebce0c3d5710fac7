import type { Locator, Page } from 'playwright-core'

/** Members that act by other means than the page's keyboard. */
const acts: ReadonlySet<string | symbol> = new Set([
  ...['blur', 'check', 'clear', 'click', 'dblclick', 'dispatchEvent', 'dragAndDrop', 'dragTo', 'fill', 'focus'],
  ...['hover', 'mouse', 'press', 'pressSequentially', 'scrollIntoViewIfNeeded', 'selectOption', 'selectText'],
  ...['setChecked', 'setInputFiles', 'tap', 'touchscreen', 'type', 'uncheck'],
])
const isLocator = (one: unknown): one is Locator =>
  typeof one === 'object' && one !== null && 'pressSequentially' in one

/** Wraps a page so that only `keyboard` works: anything else that acts, there or on its locators, throws. */
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
