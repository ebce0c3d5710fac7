/**
 * Wraps a job so that it never runs twice at once: a call while it runs makes it run again afterwards. Resolves when no
 * further run is wanted.
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
