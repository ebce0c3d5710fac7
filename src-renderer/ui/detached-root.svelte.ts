/**
 * Creates an object whose derived values stay current after its component unmounts. An edit may finish after the user
 * has left the view, and mustn't use outdated values. The object may not contain effects.
 */
export function detachedRoot<T>(make: () => T): T {
  let made: T | undefined
  $effect.root(() => {
    made = make()
  })
  return made as T
}
