import type { Service } from '../operation'

/** @returns ids worth knowing. */
export function seedDemo(_service: Service, _scale: number): Record<string, string> {
  return {}
}
