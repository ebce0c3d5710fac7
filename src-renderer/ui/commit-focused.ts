/** Takes the focus from the field that has it, because fields save what was typed when they lose it. */
export function commitFocused(): void {
  const { activeElement } = document
  if (activeElement instanceof HTMLElement) activeElement.blur()
}
