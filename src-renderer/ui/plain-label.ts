/**
 * Formats a queue label such as `Move *Stand-up* to Tue 14:00` for text without emphasis: `Move “Stand-up” to Tue
 * 14:00`.
 */
export const plainLabel = (label: string): string => label.replace(/\*([^*]+)\*/g, '“$1”')
