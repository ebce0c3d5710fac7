import { z } from 'zod'
import { dialects, exportFormats, papers } from './export-formats'
import { templateSchema } from './file-names'

/** What an export by hand is of: rows, whichever view shows them, or a drawn chart. */
export const exportSubjects = ['table', 'chart'] as const
export type ExportSubject = (typeof exportSubjects)[number]

export const pictureFormats = ['svg', 'png'] as const

/** How something is exported by hand. */
export const exportChoiceSchema = z.object({
  of: z.enum(exportSubjects),
  format: z.enum([...exportFormats, ...pictureFormats]),
  dialect: z.enum(dialects).optional(),
  paper: z.enum(papers).optional(),
  /** Of a picture of pixels. */
  scale: z.union([z.literal(1), z.literal(2)]).optional(),
  /** `shown`: as they are filtered, grouped and ordered. */
  rows: z.enum(['all', 'shown']),
  /** Absent: it is asked for each time. */
  folder: z.string().min(1).max(4_096).optional(),
  /** A template: `{report} {from} {to}`. */
  template: templateSchema,
})
export type ExportChoice = z.output<typeof exportChoiceSchema>

/** A choice that is kept under a name. */
export const exportPresetSchema = exportChoiceSchema.extend({
  id: z.string().min(1).max(80),
  name: z.string().trim().min(1).max(100),
})
export type ExportPreset = z.output<typeof exportPresetSchema>

/** What was chosen last, and by which preset. */
export const lastExportSchema = exportChoiceSchema.extend({ preset: z.string().max(80).optional() })
export type LastExport = z.output<typeof lastExportSchema>

export interface KeptExports {
  /** By name. */
  presets: ExportPreset[]
  last: Partial<Record<ExportSubject, LastExport>>
}

export const mostPresets = 200

export const presetQuestions = {
  'presets/list': z.object({}),
  /** A new one where no preset has its id. Its folder is one that the person chose, or that a preset has. */
  'presets/keep': z.object({ preset: exportPresetSchema }),
  'presets/remove': z.object({ id: exportPresetSchema.shape.id }),
  /** What was chosen now is offered first the next time. */
  'presets/chosen': z.object({ last: lastExportSchema }),
} as const
export type PresetAnswers = Record<keyof typeof presetQuestions, KeptExports>
