import type { Page } from 'playwright-core'

/**
 * Finds what doesn't fit a window this narrow: areas that scroll sideways without being a grid, and controls that no scrolling
 * reveals. Ignores overlapping elements.
 */
export function lostInWindow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const named = (one: Element): string => {
      const name = one.getAttribute('aria-label') ?? one.textContent ?? ''
      return `${one.tagName.toLowerCase()}.${one.getAttribute('class') ?? ''} ${name.replaceAll(/\s+/g, ' ').trim().slice(0, 50)}`
    }
    const wide = 'table, pre, [role=grid], [role=treegrid], [role=table], [role=application]'
    const controls =
      'button, input, select, textarea, a[href], summary, [role=menuitem], [role=menuitemcheckbox], [role=option], [role=radio], [role=slider]'
    const visible = (one: Element): boolean =>
      one.checkVisibility({ checkVisibilityCSS: true }) && !one.closest('[inert], .sr-only')
    const sideways = [...document.querySelectorAll('*')].filter((one) => {
      if (one.scrollWidth <= one.clientWidth + 1 || one.clientWidth === 0 || !visible(one)) return false
      if (one.matches(wide) || one.querySelector(wide) || one.closest(wide)) return false
      if (one === document.documentElement) return true
      return /auto|scroll/.test(getComputedStyle(one).overflowX)
    })
    const away = [...document.querySelectorAll(controls)].filter((one) => {
      if (!visible(one) || one.closest(wide)) return false
      let { left, right, top, bottom } = one.getBoundingClientRect()
      if (right - left < 2 || bottom - top < 2) return false
      // You click its label instead.
      if (one.matches('input[type=checkbox], input[type=radio]') && one.closest('label')) return false
      for (let up = one.parentElement; up; up = up.parentElement) {
        const { overflowX, overflowY, position } = getComputedStyle(up)
        const box = up.getBoundingClientRect()
        if (overflowX !== 'visible' && (left < box.left - 1 || right > box.right + 1)) {
          if (!/auto|scroll/.test(overflowX)) return true
          ;[left, right] = [box.left, box.right]
        }
        if (overflowY !== 'visible' && (top < box.top - 1 || bottom > box.bottom + 1)) {
          if (!/auto|scroll/.test(overflowY) || box.height < 20) return true
          ;[top, bottom] = [box.top, box.bottom]
        }
        if (position === 'fixed') break
      }
      if (left < -1 || right > innerWidth + 1 || top < -1 || bottom > innerHeight + 1) return true
      return false
    })
    return [...sideways.map((one) => `sideways: ${named(one)}`), ...away.map((one) => `away: ${named(one)}`)]
  })
}
