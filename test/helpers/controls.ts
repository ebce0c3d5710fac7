import type { Page } from 'playwright-core'

/** A visible control that can be clicked if it isn't covered. */
export interface Control {
  /** Its kind without variable text: similar controls in a list are one kind. */
  kind: string
  /** Its name, for failure messages. */
  name: string
  x: number
  y: number
  /** What covers its center, or empty if it's clickable. */
  coveredBy: string
}

export interface Surroundings {
  controls: Control[]
  /** Open surfaces over the view: dialogs, menus, lists, floating panels. */
  surfaces: string[]
  /** Surfaces that leave the window, and a page wider than it. */
  outside: string[]
  /** The focused element, or empty without one. */
  focus: string
}

/**
 * Finds what can be clicked now: in the topmost open surface, or else everywhere. Scrolls each control into view to check it.
 * `only` limits the check, and its final position counts.
 */
export function findControls(page: Page, only?: string): Promise<Surroundings> {
  return page.evaluate((only) => {
    const clickable =
      'button, a[href], input, select, textarea, summary, [role=button], [role=menuitem], [role=menuitemradio], ' +
      '[role=menuitemcheckbox], [role=checkbox], [role=switch], [role=radio], [role=tab], [role=option], [role=gridcell], [role=row]'
    const floating = '[role=dialog], [role=alertdialog], dialog[open], [role=menu], [role=listbox]'
    const many = '[role=grid], [role=listbox], [role=tree], [role=treegrid], [role=table], [role=list], ul, ol, table'
    const row = '[role=row], [role=option], [role=treeitem], [role=gridcell], [role=listitem], li, tr, article'
    const named = '[role=radiogroup], [role=tablist], [role=menu], [role=toolbar]'

    const visible = (element: Element): boolean => {
      const box = element.getBoundingClientRect()
      const style = getComputedStyle(element)
      // Contents of a collapsed part have a size but aren't visible.
      const there = !element.closest('details:not([open]) > :not(summary)')
      return (
        there && box.width > 1 && box.height > 1 && style.visibility === 'visible' && style.pointerEvents !== 'none'
      )
    }
    const nameOf = (element: Element): string => {
      const labels = (element as HTMLInputElement).labels
      const words =
        element.getAttribute('aria-label') ??
        labels?.[0]?.textContent ??
        (element.textContent || element.getAttribute('title') || element.getAttribute('placeholder') || '')
      return words.trim().replace(/\s+/g, ' ').slice(0, 60)
    }
    const day = /\b(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b/g
    const month =
      /(January|February|March|April|June|July|August|September|October|November|December|(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b)/g
    /** Removes days and numbers that change over time. */
    const timeless = (text: string): string => text.replace(/\d+/g, '#').replace(day, 'D').replace(month, 'M')
    const kindOf = (element: Element): string => {
      const role = element.getAttribute('role') ?? element.tagName.toLowerCase()
      const type = element.getAttribute('type') ?? ''
      const owner = element.closest(`${many}, ${named}`)
      const classes = [...element.classList]
        .filter((name) => !/^(s|svelte)-/.test(name))
        .sort()
        .join('.')
      const start = `${role} ${type} ${classes}`.replace(/\s+/g, ' ').trim()
      if (owner?.matches(many)) {
        const line = element.closest(row)
        const at = line ? [...line.querySelectorAll(clickable)].indexOf(element) : 0
        return `${start} ${at} in ${timeless(owner.getAttribute('aria-label') ?? owner.tagName.toLowerCase())}`
      }
      return `${start} “${timeless(nameOf(element))}”`
    }

    const surfaces = [...document.querySelectorAll(floating)].filter(visible)
    const inner = surfaces.filter((one) => !surfaces.some((other) => other !== one && one.contains(other)))
    // A menu opens over a panel, wherever the panel is in the document.
    const top = inner.filter((one) => one.matches('[role=menu]')).at(-1) ?? inner.at(-1)
    const from = top ?? document
    const controls: Control[] = []
    for (const element of from.querySelectorAll(clickable)) {
      if (!visible(element) || element.matches('[disabled], [aria-disabled=true], [tabindex="-1"][aria-hidden=true]'))
        continue
      // A control that contains another is clicked through it.
      if (element.matches('[role=row], [role=gridcell]') && element.querySelector(clickable)) continue
      // What a panel covers completely is out of reach until it closes.
      if (element.closest('[inert]')) continue
      const kind = kindOf(element)
      if (only !== undefined && (kind !== only || controls.length > 0)) continue
      element.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      const box = element.getBoundingClientRect()
      const x = box.x + box.width / 2
      const y = box.y + box.height / 2
      const hit = document.elementFromPoint(x, y)
      const label = (element as HTMLInputElement).labels?.[0]
      // A panel over a view's edge covers the controls there until it closes.
      if (hit?.closest('.inspector.over') && !element.closest('.inspector')) continue
      // Toasts disappear on their own, and a cell is below its contents.
      const passing = Boolean(hit?.closest('.toast')) || element.matches('[role=gridcell]')
      const reached =
        passing || (hit !== null && (element.contains(hit) || hit.contains(element) || (label?.contains(hit) ?? false)))
      const coveredBy = reached ? '' : hit ? kindOf(hit) : 'nothing that is in sight'
      controls.push({ kind, name: nameOf(element), x, y, coveredBy })
    }

    const outside = surfaces.flatMap((surface) => {
      const box = surface.getBoundingClientRect()
      const fits = box.left >= -1 && box.top >= -1 && box.right <= innerWidth + 1 && box.bottom <= innerHeight + 1
      const size = [box.left, box.top, box.right, box.bottom].map(Math.round).join(' ')
      return fits ? [] : [`${surface.getAttribute('role') ?? 'dialog'} “${nameOf(surface).slice(0, 30)}” ${size}`]
    })
    const { scrollWidth } = document.documentElement
    if (scrollWidth > innerWidth + 1) outside.push(`the page is ${scrollWidth} wide`)
    const active = document.activeElement
    return {
      controls,
      surfaces: surfaces.map((one) => `${one.getAttribute('role') ?? 'dialog'} ${nameOf(one).slice(0, 30)}`),
      outside,
      focus: active === null || active === document.body ? '' : kindOf(active),
    }
  }, only)
}
