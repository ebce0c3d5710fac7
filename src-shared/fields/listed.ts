/** Distinguishing words of a listed value: `PLACEMENT_TAG_STANDARD` among values with the same start is `STANDARD`. */
export function tellingWords(value: string, all: readonly (string | boolean)[] = []): string[] {
  const others = all.filter((one): one is string => typeof one === 'string').map((one) => one.split('_'))
  const own = value.split('_')
  let same = 0
  if (others.length > 1) while (others.every((one) => one.length > same + 1 && one[same] === own[same])) same++
  return own.slice(same)
}
