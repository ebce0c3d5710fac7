/** Scrolls to a field of a form and focuses its first control. @returns the control */
export function focusField(
  form: ParentNode | null | undefined,
  path: string,
  block: ScrollLogicalPosition = 'nearest',
): HTMLElement | null | undefined {
  const place = form?.querySelector<HTMLElement>(`[data-path="${CSS.escape(path)}"]`)
  place?.scrollIntoView({ block })
  const control = place?.querySelector<HTMLElement>('input, textarea, button, summary')
  control?.focus()
  return control
}
