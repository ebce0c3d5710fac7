import { systemClock } from '#shared/time/clock'
import { FrameYield } from '../../replica/tables/frame-yield'

/** Lets frames through while many rows are read or written. */
export const frameYieldOf = (signal?: AbortSignal): FrameYield =>
  new FrameYield({ elapsed: systemClock.elapsed, setTimer: (run, after) => setTimeout(run, after) }, signal)
