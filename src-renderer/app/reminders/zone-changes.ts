const listeners = new Set<() => void>()

/** Calls back after someone chose another zone or clock in this window, or the computer got another zone. Returns a function that ends it. */
export function onZoneChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function zoneChanged(): void {
  for (const listener of listeners) listener()
}
