/** Where what floats is drawn: a landmark, so that it is within one, where the application has it. */
export const hints = (): HTMLElement | string => document.getElementById('hints') ?? 'body'
