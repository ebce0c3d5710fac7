/** Measures the longest thread block in milliseconds since the start. */
export function longestTask(): { end(): number } {
  let last = performance.now()
  let longest = 0
  let ended = false
  const look = (): void => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (!ended) setImmediate(look)
  }
  setImmediate(look)
  return {
    end: () => {
      ended = true
      return longest
    },
  }
}
