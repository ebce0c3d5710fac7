import { isAbsolute, join } from 'node:path'
import { z } from 'zod'
import { FaultError } from '#shared/fault'
import {
  exportPresetSchema,
  lastExportSchema,
  maxPresets,
  type ExportPreset,
  type KeptExports,
  type LastExport,
} from '#shared/reports/export-presets'
import { KeptFile } from '../disk/kept-file'

const fileSchema = z.object({
  version: z.literal(1),
  presets: z.array(exportPresetSchema).max(maxPresets).transform(withDistinctIds),
  last: z.object({ table: lastExportSchema.optional(), chart: lastExportSchema.optional() }),
})
type Kept = z.output<typeof fileSchema>

/** Export presets, and the last choice. */
export class ExportPresets {
  readonly #file: KeptFile<Kept>
  readonly #wasChosen: (folder: string) => boolean
  /** Folders of presets removed in this run. Undo, and an open dialog, may still use them. */
  readonly #left = new Set<string>()

  /** @param wasChosen true for folders that the user chose in this run */
  constructor(userData: string, wasChosen: (folder: string) => boolean) {
    this.#file = new KeptFile<Kept>(join(userData, 'export-presets.json'), fileSchema, {
      missing: { version: 1, presets: [], last: {} },
      whenUnreadable: {
        disk: 'Your export presets are unchanged.',
        content: (path) =>
          `Couldn’t read the export presets in ${path}. The file is unchanged. Move it elsewhere to start over.`,
      },
    })
    this.#wasChosen = wasChosen
  }

  /** @throws FaultError `storage` if the file can't be read or isn't one */
  async list(): Promise<KeptExports> {
    return seen(await this.#file.read())
  }

  /** @throws FaultError `invalid`, `duplicate` if another preset has the name, `storage` */
  keep(preset: ExportPreset): Promise<KeptExports> {
    return this.#change((kept) => {
      const others = kept.presets.filter(({ id }) => id !== preset.id)
      if (others.some(({ of, name }) => of === preset.of && sameName(name, preset.name)))
        throw new FaultError({ code: 'duplicate', message: `A preset named “${preset.name}” already exists.` })
      if (others.length >= maxPresets)
        throw new FaultError({ code: 'invalid', message: `You already have ${maxPresets} presets. Delete one first.` })
      this.#check(kept, preset.folder)
      return { ...kept, presets: [...others, preset] }
    })
  }

  /** Removes a preset. The last choice keeps its values. @throws FaultError `storage` */
  remove(id: string): Promise<KeptExports> {
    return this.#change((kept) => {
      const folder = kept.presets.find((one) => one.id === id)?.folder
      if (folder !== undefined) this.#left.add(folder)
      return { ...kept, presets: kept.presets.filter((one) => one.id !== id) }
    })
  }

  /** @throws FaultError `invalid` | `storage` */
  chosen(last: LastExport): Promise<KeptExports> {
    return this.#change((kept) => {
      this.#check(kept, last.folder)
      return { ...kept, last: { ...kept.last, [last.of]: last } }
    })
  }

  /** True if files may be written to a folder without asking. @throws FaultError `storage` */
  async takes(folder: string): Promise<boolean> {
    if (!isAbsolute(folder)) return false
    return this.#wasChosen(folder) || this.#left.has(folder) || foldersOf(await this.#file.read()).has(folder)
  }

  #check(kept: Kept, folder: string | undefined): void {
    if (folder === undefined) return
    const known = this.#wasChosen(folder) || this.#left.has(folder) || foldersOf(kept).has(folder)
    if (isAbsolute(folder) && known) return
    throw new FaultError({ code: 'invalid', message: 'Choose a folder to export to.' })
  }

  async #change(make: (kept: Kept) => Kept): Promise<KeptExports> {
    return seen(await this.#file.change(make))
  }
}

const sameName = (one: string, other: string): boolean => one.localeCompare(other, 'en', { sensitivity: 'base' }) === 0

const foldersOf = ({ presets, last }: Kept): ReadonlySet<string | undefined> =>
  new Set([...presets, last.table, last.chart].map((one) => one?.folder))

/** Gives manually copied presets distinct IDs, which are the same at every read. */
function withDistinctIds(presets: readonly ExportPreset[]): ExportPreset[] {
  const ids = new Set(presets.map(({ id }) => id))
  const met = new Set<string>()
  return presets.map((preset) => {
    let { id } = preset
    for (let again = 2; met.has(id) || (id !== preset.id && ids.has(id)); again++) {
      const end = `-${again}`
      id = preset.id.slice(0, 80 - end.length) + end
    }
    met.add(id)
    return { ...preset, id }
  })
}

const seen = ({ presets, last: { table, chart } }: Kept): KeptExports => ({
  presets: [...presets].sort((a, b) => a.name.localeCompare(b.name, 'en')),
  last: { ...(table && { table }), ...(chart && { chart }) },
})
