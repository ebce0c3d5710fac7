import type { HandlersOf } from '../operation'
import { searchAdvertiserHandlers } from './advertisers'
import { searchConversionHandlers } from './conversions'
import { searchReportHandlers } from './reports'

/** Every operation of the search service. */
export const searchHandlers: HandlersOf<'search'> = {
  ...searchAdvertiserHandlers,
  ...searchConversionHandlers,
  ...searchReportHandlers,
}
