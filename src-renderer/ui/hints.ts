/** Portal target of floating elements. A landmark if the app has one, as accessibility requires. */
export const hints = (): HTMLElement | string => document.getElementById('hints') ?? 'body'
