/** The words of a listed value that tell it from the others: `PLACEMENT_TAG_STANDARD` among values that begin alike is `STANDARD`. */
export function tellingWords(value: string, all: readonly (string | boolean)[] = []): string[] {
  const others = all.filter((one): one is string => typeof one === 'string').map((one) => one.split('_'))
  const own = value.split('_')
  let same = 0
  if (others.length > 1) while (others.every((one) => one.length > same + 1 && one[same] === own[same])) same++
  return own.slice(same)
}
