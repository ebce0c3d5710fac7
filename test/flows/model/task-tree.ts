import type { Row } from '../../../src-renderer/replica/api'

/** True if a task is another one of its list, or one of its subtasks at any depth. */
export function isBelow(tasks: readonly Row[], task: Row, ancestor: string): boolean {
  for (let at: Row | undefined = task, depth = 0; at && depth < 50; depth++) {
    if (at.id === ancestor) return true
    const parent: unknown = at.value!.parent
    at = tasks.find((row) => row.id === parent && row.parent === task.parent)
  }
  return false
}
