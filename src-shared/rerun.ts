/**
 * Wraps a job so that it never runs twice at once. A call while it runs makes it run again afterwards. Resolves after the last
 * requested run.
 */
export function rerunning(job: () => Promise<unknown>): () => Promise<void> {
  let wanted = false
  let running: Promise<void> | undefined
  const runAll = async (): Promise<void> => {
    try {
      while (wanted) {
        wanted = false
        await job()
      }
    } finally {
      running = undefined
    }
  }
  return () => {
    wanted = true
    return (running ??= runAll())
  }
}
