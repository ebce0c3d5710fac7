import { FaultError } from '#shared/fault'

/** Maximum number of columns, as in a sheet. */
export const maxColumns = 16_384

const invalid = (message: string): FaultError => new FaultError({ code: 'invalid', message })

export const tooManyColumns = (): FaultError =>
  invalid(`The file has more than ${maxColumns.toLocaleString('en')} columns, so it isn’t a report.`)

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1024 ** 2).toLocaleString('en')} MB`

export const tableTooLarge = (bytes: number, ceiling: number): FaultError =>
  invalid(
    `The table needs at least ${megabytes(bytes)} of memory, and the limit for tables is ${megabytes(ceiling)}. The file is unchanged. Choose fewer columns or days for the report.`,
  )
