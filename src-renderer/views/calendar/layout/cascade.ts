import type { Block, Cascaded, Rest } from './block'

/** Room for the blocks of a day, in pixels. */
export interface Room {
  width: number
  hourHeight: number
  /** The last minute of the day that’s printed. On paper, every block is drawn, however far below its start. */
  paperEnd?: number | undefined
}

/** Side by side, a block narrower than this can’t be read. */
export const narrowestColumn = 110
/** Height of the part of each block that no other one covers: a line of its title. */
export const stripHeight = 18
const indentWidth = 14
/** On paper, where nothing has to be clicked. */
const paperIndentWidth = 5
/** Pixels that a block keeps, however many are below it. */
const narrowestBlock = 60
/** Strips that a block may be drawn below its start. What would be lower is counted. */
const mostStrips = 3

interface Placed {
  cascade: Cascaded
  level: number
}

/**
 * Lays blocks that overlap over each other: each is indented and reaches the right edge, later ones lie above. Starts that are
 * close are drawn a strip apart, so that no title is covered. Those that would be too far from their start are counted.
 * @param cluster in order of start
 */
export function cascade(cluster: readonly Block[], room: Room): Rest[] {
  const rests: Rest[] = []
  const strip = (stripHeight / room.hourHeight) * 60
  const most = Math.max(0, room.width - narrowestBlock)
  const onPaper = room.paperEnd !== undefined
  const placed: Placed[] = []
  let rest: { rest: Rest; cascade: Cascaded } | undefined

  /** The next free place from a minute on, below every title there. */
  const placeFrom = (from: number): { top: number; level: number } => {
    let top = from
    for (const { cascade } of placed) if (cascade.top + strip > top && cascade.bottom > from) top = cascade.top + strip
    const levels = new Set(placed.filter(({ cascade }) => cascade.bottom > top).map(({ level }) => level))
    let level = 0
    while (levels.has(level)) level++
    return { top, level }
  }
  const put = (from: number, to: number): Cascaded => {
    const { top, level } = placeFrom(from)
    const bottom = Math.max(to, top + strip)
    const cascaded = {
      top,
      bottom,
      indent: Math.min(level * (onPaper ? paperIndentWidth : indentWidth), most),
      clear: bottom,
    }
    for (const { cascade } of placed)
      if (cascade.bottom > top && cascade.clear > top && top > cascade.top) cascade.clear = top
    placed.push({ cascade: cascaded, level })
    return cascaded
  }

  for (const block of cluster) {
    block.columns = 1
    const isFar = placeFrom(block.from).top - block.from > mostStrips * strip + 0.01
    if (!isFar || block.entry.draft || onPaper) {
      block.cascade = put(block.from, block.to)
      continue
    }
    block.columns = 0
    if (!rest || rest.cascade.bottom <= block.from) {
      const cascaded = put(block.from, block.from)
      const made: Rest = {
        from: block.from,
        to: cascaded.bottom,
        count: 0,
        keys: new Set(),
        column: 0,
        columns: 1,
        cascade: cascaded,
      }
      rests.push(made)
      rest = { rest: made, cascade: cascaded }
    }
    rest.rest.count++
    rest.rest.keys.add(block.entry.key)
  }
  return rests
}
