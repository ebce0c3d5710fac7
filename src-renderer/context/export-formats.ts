import type { RequestArguments } from '#shared/ipc/contract'
import type { ExportChoice } from '#shared/reports/export-presets'
import type { ExportRule } from '#shared/reports/export-rules'

export type ChosenFormat = Pick<ExportChoice, 'format' | 'dialect' | 'paper' | 'scale'>
export type Format = Pick<RequestArguments<'results/export'>, 'format' | 'dialect' | 'paper'>
export type RuleFormat = Pick<ExportRule, 'format' | 'dialect' | 'paper'>

/** Export formats of tables, in menu order. */
export { formatChoices as formats } from '#shared/reports/export-formats'

export type PictureFormat = Pick<ExportChoice, 'format' | 'scale'>

/** Export formats of charts, in menu order. */
export const pictures: readonly (PictureFormat & { label: string })[] = [
  { format: 'svg', label: 'Vector image (.svg)' },
  { format: 'png', scale: 1, label: 'Image (.png)' },
  { format: 'png', scale: 2, label: 'Image, double resolution (.png)' },
]

/** ID of a format among choices. */
export const formatId = ({
  format,
  dialect,
  paper,
  scale,
}: (RuleFormat & { scale?: number | undefined }) | ChosenFormat): string =>
  [format, format === 'pdf' ? (paper ?? 'A4') : (scale ?? dialect)].filter(Boolean).join(' ')

/** Everything of a format but its words. */
export function formatOf<T extends RuleFormat>({ format, dialect, paper }: T): Pick<T, 'format' | 'dialect' | 'paper'> {
  return { format, ...(dialect && { dialect }), ...(paper && { paper }) }
}
