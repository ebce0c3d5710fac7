import type { ExportChoice, ExportPreset, ExportSubject } from '#shared/reports/export-presets'
import { namePlaces, nameFrom, unknownPlace, usualTemplate, type NameParts } from '#shared/reports/file-names'
import { formatId, formats, pictures, type ChosenFormat } from './export-formats'
import type { ExportPresets } from './export-presets.svelte'

/** State of a manual export's form. */
export class ExportForm {
  readonly of: ExportSubject
  readonly choices: readonly (ChosenFormat & { label: string })[]
  readonly #presets: ExportPresets
  format = $state('')
  rows = $state<ExportChoice['rows']>('shown')
  /** Destination folder. If empty, each export asks. */
  folder = $state('')
  template = $state(usualTemplate)
  /** Id of the preset it began with; empty for none. */
  preset = $state('')
  /** Name of the preset. */
  name = $state('')
  /** Problem with the folder. */
  problem = $state('')

  constructor(of: ExportSubject, presets: ExportPresets) {
    this.of = of
    this.choices = of === 'chart' ? pictures : formats
    this.#presets = presets
    this.begin()
  }

  get presets(): readonly ExportPreset[] {
    return this.#presets.of(this.of)
  }
  get kept(): ExportPreset | undefined {
    return this.presets.find(({ id }) => id === this.preset)
  }

  /** Starts with the last choice, or the first format. */
  begin(problem = ''): void {
    const last = this.#presets.last(this.of)
    const preset = this.presets.find(({ id }) => id === last?.preset)
    this.#take(last)
    this.preset = preset?.id ?? ''
    this.name = preset?.name ?? ''
    this.problem = problem
  }
  /** Selects a preset by ID. An empty ID keeps the options without a preset. */
  pick(id: string): void {
    this.preset = id
    const { kept } = this
    if (kept) this.#take(kept)
    this.name = kept?.name ?? ''
    this.problem = ''
  }

  readonly choice = $derived.by((): ExportChoice => {
    const { format, dialect, paper, scale } = this.choices.find((one) => formatId(one) === this.format)!
    return {
      of: this.of,
      format,
      ...(dialect && { dialect }),
      ...(paper && { paper }),
      ...(scale && { scale }),
      rows: this.rows,
      ...(this.folder && { folder: this.folder }),
      template: this.template.trim(),
    }
  })
  /** The preset as it would be saved. Undefined if there's nothing to save. */
  readonly toKeep = $derived.by((): ExportPreset | undefined => {
    const name = this.name.trim()
    if (name === '' || this.wrongName) return undefined
    const preset = { ...this.choice, id: this.preset || crypto.randomUUID(), name }
    const { kept } = this
    return kept && textOf(kept) === textOf(preset) ? undefined : preset
  })
  get wrongName(): string | undefined {
    if (this.template.trim() === '') return 'Enter a file name'
    const unknown = unknownPlace(this.template)
    if (unknown === undefined) return undefined
    return `{${unknown}} isn’t a placeholder. Use ${namePlaces.map((place) => `{${place}}`).join(' ')}`
  }
  example(parts: NameParts): string {
    return `${nameFrom(this.template, parts)}.${this.choice.format}`
  }

  /** @returns true if it was saved. Reports failures */
  async keep(): Promise<boolean> {
    const preset = this.toKeep
    if (!preset || !(await this.#presets.keep(preset))) return false
    this.preset = preset.id
    await this.note()
    return true
  }
  /** @returns the deleted preset for undo, or undefined if it still exists */
  async remove(): Promise<ExportPreset | undefined> {
    const { kept } = this
    if (!kept || !(await this.#presets.remove(kept))) return undefined
    this.preset = ''
    this.name = ''
    return kept
  }
  /** Offered first the next time. */
  note(): Promise<void> {
    return this.#presets.chosen({ ...this.choice, ...(this.preset && { preset: this.preset }) })
  }
  async chooseFolder(): Promise<void> {
    this.folder = (await this.#presets.chooseFolder()) ?? this.folder
    if (this.folder !== '') this.problem = ''
  }

  #take(choice: ExportChoice | undefined): void {
    this.format = this.#known(choice)
    this.rows = choice?.rows ?? 'shown'
    this.folder = choice?.folder ?? ''
    this.template = choice?.template ?? usualTemplate
  }
  #known(choice: ExportChoice | undefined): string {
    const found = choice && this.choices.find((one) => formatId(one) === formatId(choice))
    return formatId(found ?? this.choices[0]!)
  }
}

const textOf = ({ id: _id, ...preset }: ExportPreset): string => JSON.stringify(Object.entries(preset).sort())
