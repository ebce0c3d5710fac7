/** `Ctrl+Enter` as `aria-keyshortcuts` has it: `Control+Enter`. */
export const spokenKeys = (keys: string): string => keys.replace(/^Ctrl(?=\+)/, 'Control')
