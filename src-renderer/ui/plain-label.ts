import { currentLabel } from '#shared/former-words'

/**
 * Formats a queue label such as `Move *Stand-up* to Tue 14:00` for text without emphasis: `Move “Stand-up” to Tue
 * 14:00`.
 */
export const plainLabel = (label: string): string => currentLabel(label).replace(/\*([^*]+)\*/g, '“$1”')

/** Formats a queue label without emphasis or quotes, such as for an accessible name. */
export const bareLabel = (label: string): string => currentLabel(label).replaceAll('*', '')
