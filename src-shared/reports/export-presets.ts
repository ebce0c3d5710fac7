import { z } from 'zod'
import { dialects, exportFormats, papers } from './export-formats'
import { templateSchema } from './file-names'

/** Subject of a manual export: rows of any view, or a chart. */
export const exportSubjects = ['table', 'chart'] as const
export type ExportSubject = (typeof exportSubjects)[number]

export const pictureFormats = ['svg', 'png'] as const

/** Options of a manual export. */
export const exportChoiceSchema = z.object({
  of: z.enum(exportSubjects),
  format: z.enum([...exportFormats, ...pictureFormats]),
  dialect: z.enum(dialects).optional(),
  paper: z.enum(papers).optional(),
  /** Scale of a bitmap picture. */
  scale: z.union([z.literal(1), z.literal(2)]).optional(),
  /** `shown`: as currently filtered, grouped, and sorted. */
  rows: z.enum(['all', 'shown']),
  /** Absent: ask each time. */
  folder: z.string().min(1).max(4_096).optional(),
  /** A template: `{report} {from} {to}`. */
  template: templateSchema,
})
export type ExportChoice = z.output<typeof exportChoiceSchema>

/** Options saved under a name. */
export const exportPresetSchema = exportChoiceSchema.extend({
  id: z.string().min(1).max(80),
  name: z.string().trim().min(1).max(100),
})
export type ExportPreset = z.output<typeof exportPresetSchema>

/** Last used options, and their preset. */
export const lastExportSchema = exportChoiceSchema.extend({ preset: z.string().max(80).optional() })
export type LastExport = z.output<typeof lastExportSchema>

export interface KeptExports {
  /** Sorted by name. */
  presets: ExportPreset[]
  last: Partial<Record<ExportSubject, LastExport>>
}

export const maxPresets = 200

export const presetQuestions = {
  'presets/list': z.object({}),
  /** Creates or replaces a preset by ID. Its folder must be one that the user chose, or that a preset contains. */
  'presets/keep': z.object({ preset: exportPresetSchema }),
  'presets/remove': z.object({ id: exportPresetSchema.shape.id }),
  /** Remembers the options for the next export. */
  'presets/chosen': z.object({ last: lastExportSchema }),
} as const
export type PresetAnswers = Record<keyof typeof presetQuestions, KeptExports>
