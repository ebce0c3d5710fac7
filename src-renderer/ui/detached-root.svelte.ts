/**
 * Makes something whose derived values stay true when the component that makes it has gone. An edit that was begun in a view
 * ends after people have gone to another one, and must not go by what was so when they left. It may hold no effects.
 */
export function detachedRoot<T>(make: () => T): T {
  let made: T | undefined
  $effect.root(() => {
    made = make()
  })
  return made as T
}
