import { maxSheetPage, type SheetFacts } from '#shared/ipc/sheet-questions'
import { ask } from '../../bridge'
import type { AppContext } from '../../context/context'

/** Rows to import, from a file or the clipboard. */
export interface SheetSource extends Omit<SheetFacts, 'id'> {
  /** Name of the file. Absent for the clipboard. */
  name?: string
  page(from: number, count: number): Promise<readonly (readonly string[])[]>
  /** Another sheet of the same workbook. This one ends. */
  choose?(sheet: string): Promise<SheetSource>
  close(): void
}

/** A spreadsheet that main has open. */
export const fileSource = (
  bridge: AppContext['bridge'],
  { id, ...facts }: SheetFacts & { name: string },
): SheetSource => ({
  ...facts,
  choose: async (sheet) =>
    fileSource(bridge, { name: facts.name, ...(await ask(bridge, 'sheet/choose', { id, sheet })) }),
  page: (from, count) => ask(bridge, 'sheet/rows', { id, from, count: Math.min(count, maxSheetPage) }),
  close: () => void bridge.ask('sheet/close', { id }),
})

/** Pasted cells. */
export const pastedSource = (lines: readonly (readonly string[])[]): SheetSource => ({
  ...{ rows: lines.length, separated: true, commas: false },
  page: (from, count) => Promise.resolve(lines.slice(from, from + count)),
  close: () => undefined,
})
