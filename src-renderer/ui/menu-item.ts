import type { Component } from 'svelte'

export interface MenuItem {
  label: string
  icon?: Component<{ size?: number | string }>
  keys?: string
  danger?: boolean
  disabled?: boolean
  /** Drawn with a tick and spoken as a checkbox. */
  checked?: boolean
  /** Class of a colored dot in place of an icon. */
  tint?: string
  run: () => void
}

export interface Submenu {
  label: string
  disabled?: boolean
  items: readonly MenuItem[]
}

/** Separated by lines. */
export type MenuGroups = readonly (readonly (MenuItem | Submenu)[])[]

/** Quotes a value in a label, cut off so that the menu stays narrow. */
export const quotedValue = (text: string): string => `“${text.length > 30 ? `${text.slice(0, 29)}…` : text}”`
