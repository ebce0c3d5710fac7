import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createDeflateRaw } from 'node:zlib'
import { exportTable } from '../../src-main/exports/export-file'
import type { ExportFormat } from '#shared/reports/export-formats'
import type { ExportTable } from '../../src-main/exports/export-table'
import { manyColumns, rowsOf } from '../helpers/export-tables'
import { comparison, digits, median, time, type Bench, type Comparison } from './measure'

const [columns, rounds] = [20, 3]

/** Exports of many rows of 20 columns, each compared with a bare loop that writes the same text. */
export async function* exports({ long, step }: Bench): AsyncGenerator<Comparison, void, void> {
  const rows = long ? 100_000 : 20_000
  const table = rowsOf(rows, manyColumns(columns))
  const size = `${digits(rows)} × ${columns}`
  const at = await mkdtemp(join(tmpdir(), 'flightplan-bench-'))
  try {
    step(`${size} to CSV`)
    const csv = await measured(table, 'csv', at, () => bareLines(table), false)
    yield comparison(`${size} to CSV`, 'a bare loop over the same cells into a file', csv.ours, csv.floor, csv)
    step(`${size} to a workbook`)
    const xlsx = await measured(table, 'xlsx', at, () => bareSheet(table), true)
    const floorIs = 'a bare loop that makes the same sheet, deflated into a file'
    yield comparison(`${size} to a workbook`, floorIs, xlsx.ours, xlsx.floor, xlsx)
  } finally {
    await rm(at, { recursive: true })
  }
}

async function measured(
  table: ExportTable,
  format: ExportFormat,
  at: string,
  bare: () => Iterable<string>,
  deflated: boolean,
): Promise<{ ours: number; floor: number; detail: Comparison['detail'] }> {
  const [ours, floors, grown]: number[][] = [[], [], []]
  const path = join(at, `ours.${format}`)
  const barePath = join(at, `bare.${format}`)
  for (let round = 0; round < rounds; round++) {
    const memory = mostMemory()
    ours!.push(await time(() => exportTable(path, table, { format, fonts: '', now: 0, replace: true })))
    grown!.push(memory.end())
    floors!.push(await time(() => bareFile(barePath, bare(), deflated)))
  }
  const detail = {
    megabytes: Math.round((await stat(path)).size / 1e5) / 10,
    bareMegabytes: Math.round((await stat(barePath)).size / 1e5) / 10,
    memoryGrewMegabytes: Math.round(median(grown!) / 1e6),
  }
  return { ours: median(ours!), floor: median(floors!), detail }
}

/** Measures this process's peak memory growth. */
function mostMemory(): { end(): number } {
  const before = process.memoryUsage.rss()
  let most = before
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20)
  return {
    end: () => {
      clearInterval(timer)
      return most - before
    },
  }
}

async function bareFile(path: string, chunks: Iterable<string>, deflated: boolean): Promise<void> {
  if (deflated) {
    await pipeline(
      Readable.from(chunks, { objectMode: true, highWaterMark: 1 }),
      createDeflateRaw({ level: 6 }),
      createWriteStream(path),
    )
    return
  }
  const file = createWriteStream(path)
  for (const chunk of chunks) if (!file.write(chunk)) await once(file, 'drain')
  file.end()
  await once(file, 'close')
}

function* bareLines(table: ExportTable): Generator<string> {
  for (let from = 0; from < table.length; from += 500) {
    let text = ''
    for (let row = from; row < from + 500; row++) {
      for (let column = 0; column < columns; column++) text += `${column > 0 ? ',' : ''}${table.text(row, column)}`
      text += '\r\n'
    }
    yield text
  }
}

function* bareSheet(table: ExportTable): Generator<string> {
  const letters = 'ABCDEFGHIJKLMNOPQRST'
  const texts = table.columns.map(({ kind }) => kind === 'text' || kind === 'id')
  for (let from = 0; from < table.length; from += 500) {
    let text = ''
    for (let row = from; row < from + 500; row++) {
      text += `<row r="${row + 2}">`
      for (let column = 0; column < columns; column++) {
        const name = `<c r="${letters[column]}${row + 2}" s="3"`
        const value = table.value(row, column)
        text += texts[column]
          ? `${name} t="inlineStr"><is><t xml:space="preserve">${value}</t></is></c>`
          : `${name}><v>${value}</v></c>`
      }
      text += '</row>'
    }
    yield text
  }
}
